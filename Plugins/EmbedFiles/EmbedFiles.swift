import PackagePlugin

/// Makes files part of the target that uses this plugin, as `EmbeddedFile` with a member for each:
/// ``EmbeddedFile.`openapi.yaml`.text``, and compressed, so that nothing has to be while it runs.
/// SwiftPM's own `.embedInCode` writes a number for each byte, which took 37 s to compile for 150
/// kB; one string literal takes less than one.
///
/// Embedded is every file in the target's folder that is not Swift. A file that lives elsewhere in
/// the package is embedded through a symbolic link in that folder; where the link leads nowhere,
/// the member is missing and the build fails on it.
@main
struct EmbedFiles: BuildToolPlugin {
  func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
    guard let target = target as? any SourceModuleTarget else { return [] }
    let files = target.sourceFiles.map(\.url).filter { $0.pathExtension != "swift" }
    let output = context.pluginWorkDirectoryURL.appending(path: "EmbeddedFile.swift")
    return [
      .buildCommand(
        displayName: "Embedding \(files.count) files in \(target.name)",
        executable: try context.tool(named: "embed").url,
        arguments: ([output] + files).map { $0.path(percentEncoded: false) },
        inputFiles: files, outputFiles: [output])
    ]
  }
}
