import Brotli
import Gzip

/// The Swift file that holds some files, as they are and compressed. A document has the files in it
/// that it names, and the module that it loads has in it those that it imports.
package enum Embedding {
  package struct Fault: Error, Equatable, Sendable, CustomStringConvertible {
    package let description: String

    package init(description: String) { self.description = description }
  }

  /// - Parameter files: the name of each without its folders, and its bytes.
  package static func source(
    of files: [(name: String, bytes: [UInt8])]
  ) throws(Fault) -> String {
    var taken: Set<String> = []
    var members = ""
    var all: [String] = []
    func text(_ name: String) -> String? {
      files.first { $0.name == name }.flatMap { String(validating: $0.bytes, as: UTF8.self) }
    }
    let loaded = files.filter { $0.name.hasSuffix(".html") }.flatMap { document in
      text(document.name)?.split(separator: "\n").compactMap(Bundle.first) ?? []
    }
    for file in files {
      guard let identifier = SwiftText.identifier(file.name), file.name != "all" else {
        throw Fault(description: "\(file.name): a name is letters, digits, dots, - and _")
      }
      guard taken.insert(file.name).inserted else {
        throw Fault(description: "\(file.name): two files of that name")
      }
      var kept = text(file.name)
      if file.name.hasSuffix(".html") {
        kept = try kept.map { html throws(Fault) in try Document.assembled(html, file: text) }
      }
      if loaded.contains(file.name) { kept = try Bundle.assembled(file.name, file: text) }
      let bytes = kept.map { Array($0.utf8) } ?? file.bytes
      guard let gzip = GzipEncoder.compress(bytes, .best),
        let brotli = BrotliEncoder.compress(bytes, .best)
      else {
        throw Fault(description: "\(file.name): it can't be compressed")
      }
      members += """

          static let \(identifier) = EmbeddedFile(
            \(SwiftText.literal(file.name)), isText: \(kept != nil),
            \(SwiftText.literal(kept ?? SwiftText.characters(file.bytes))),
            gzip: \(SwiftText.literal(SwiftText.characters(gzip))),
            brotli: \(SwiftText.literal(SwiftText.characters(brotli))))

        """
      all.append("." + identifier)
    }
    return type(with: members, all: all)
  }

  private static func type(with members: String, all: [String]) -> String {
    """
    /// A file that was made part of the program when it was built (the plugin EmbedFiles).
    struct EmbeddedFile: Sendable {
      /// The file's name without its folder.
      let name: String
      /// The text of the file. Where the file is no text, it has a character for each byte.
      let text: String
      private let isText: Bool
      private let packedByGzip: String
      private let packedByBrotli: String

      private init(_ name: String, isText: Bool, _ text: String, gzip: String, brotli: String) {
        self.name = name
        self.isText = isText
        self.text = text
        packedByGzip = gzip
        packedByBrotli = brotli
      }

      /// The file as it is.
      var bytes: [UInt8] { isText ? Array(text.utf8) : Self.bytes(text) }
      /// The file in the format of gzip (RFC 1952).
      var gzip: [UInt8] { Self.bytes(packedByGzip) }
      /// The file in the format of Brotli (RFC 7932).
      var brotli: [UInt8] { Self.bytes(packedByBrotli) }

      private static func bytes(_ characters: String) -> [UInt8] {
        characters.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }
      }
    \(members)
      /// All files of this target, by name.
      static let all: [EmbeddedFile] = [\(all.joined(separator: ", "))]
    }

    """
  }
}
