import Foundation
import PackagePlugin

/// Makes files part of the target that uses this plugin, as `EmbeddedFile` with a member for each:
/// ``EmbeddedFile.`openapi.yaml`.text``. SwiftPM's own `.embedInCode` writes a byte a time, which
/// took 37 s to compile for 150 kB; one string literal takes less than one.
///
/// Embedded is every file in the target's folder that is not Swift. Where there is a file
/// `Embedded.txt`, it is not embedded itself: it names further files, one a line, from the top of
/// the package.
@main
struct EmbedFiles: BuildToolPlugin {
  struct Fault: Error, CustomStringConvertible {
    let description: String
  }

  func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
    guard let target = target as? any SourceModuleTarget else { return [] }
    var files: [URL] = []
    for file in target.sourceFiles where file.url.pathExtension != "swift" {
      if file.url.lastPathComponent == "Embedded.txt" {
        files += try listed(in: file.url, top: context.package.directoryURL, of: target.name)
      } else {
        files.append(file.url)
      }
    }
    let output = context.pluginWorkDirectoryURL.appending(path: "EmbeddedFile.swift")
    return [
      .buildCommand(
        displayName: "Embedding \(files.count) files in \(target.name)",
        executable: try context.tool(named: "embed").url,
        arguments: [output.path(percentEncoded: false)]
          + files.map { $0.path(percentEncoded: false) },
        inputFiles: files, outputFiles: [output])
    ]
  }

  private func listed(in list: URL, top: URL, of target: String) throws -> [URL] {
    try String(contentsOf: list, encoding: .utf8).split(whereSeparator: \.isNewline).map { line in
      let file = top.appending(path: line.trimmingCharacters(in: .whitespaces))
      guard FileManager.default.fileExists(atPath: file.path(percentEncoded: false)) else {
        throw Fault(
          description: "\(list.path(percentEncoded: false)) names \(line), which is not there")
      }
      return file
    }
  }
}
