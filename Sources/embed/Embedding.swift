/// The Swift file that holds some files' texts.
package enum Embedding {
  package struct Fault: Error, Equatable, Sendable, CustomStringConvertible {
    package let description: String
  }

  /// - Parameter files: the name of each without its folders, and its bytes.
  package static func source(
    of files: [(name: String, bytes: [UInt8])]
  ) throws(Fault) -> String {
    var taken: Set<String> = []
    var members = ""
    var all: [String] = []
    for file in files {
      guard let identifier = SwiftText.identifier(file.name), file.name != "all" else {
        throw Fault(description: "\(file.name): a name is letters, digits, dots, - and _")
      }
      guard taken.insert(file.name).inserted else {
        throw Fault(description: "\(file.name): two files of that name")
      }
      guard let text = String(validating: file.bytes, as: UTF8.self) else {
        throw Fault(description: "\(file.name): not UTF-8, and only text can be embedded")
      }
      members += """

          static let \(identifier) = EmbeddedFile(
            name: \(SwiftText.literal(file.name)), text: \(SwiftText.literal(text)))

        """
      all.append("." + identifier)
    }
    return """
      /// A file that was made part of the program when it was built (the plugin EmbedFiles).
      struct EmbeddedFile: Sendable {
        /// Without its folder.
        let name: String
        let text: String
      \(members)
        /// All of this target, by name.
        static let all: [EmbeddedFile] = [\(all.joined(separator: ", "))]
      }

      """
  }
}
