/// An HTML document with the files in it that it names, so that it loads nothing from anywhere.
package enum Document {
  /// - Parameters:
  ///   - text: HTML. A line `<link rel="stylesheet" href="a.css">` or `<script
  ///     src="a.js"></script>` becomes the text of that file, and one that ends in `
  ///     data-file="a.yaml"></pre>` shows that one's. The white space that lines begin with is left
  ///     out.
  ///   - file: the text of a file, by its name.
  package static func assembled(
    _ text: String, file: (String) -> String?
  ) throws(Embedding.Fault) -> String {
    var lines: [String] = []
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      lines.append(try assembled(line: line.drop { $0 == " " }, file: file))
    }
    return lines.joined(separator: "\n")
  }

  private static func assembled(
    line: Substring, file: (String) -> String?
  ) throws(Embedding.Fault) -> String {
    func named(_ start: String, _ end: String) throws(Embedding.Fault) -> String? {
      guard line.hasSuffix(end), let cut = line.firstRange(of: start) else { return nil }
      let name = String(line[cut.upperBound...].dropLast(end.count))
      guard let text = file(name) else {
        throw Embedding.Fault(description: "\(name): a document names it, and it is not there")
      }
      return text
    }
    if line.hasPrefix("<link"), let text = try named(#" rel="stylesheet" href=""#, #"">"#) {
      return "<style>\(lean(text))</style>"
    }
    if line.hasPrefix("<script"), let text = try named(#" src=""#, #""></script>"#) {
      return "<script>\(text)</script>"
    }
    guard let text = try named(#" data-file=""#, #""></pre>"#),
      let cut = line.firstRange(of: #" data-file=""#)
    else { return String(line) }
    return "\(line[..<cut.lowerBound])>\(shown(text))</pre>"
  }

  /// A style sheet without comments, empty lines, and the white space that lines begin with.
  private static func lean(_ text: String) -> String {
    var (rest, kept) = (text[...], "")
    while let start = rest.firstRange(of: "/*") {
      kept += rest[..<start.lowerBound]
      rest = rest[start.upperBound...]
      rest = rest.firstRange(of: "*/").map { rest[$0.upperBound...] } ?? ""
    }
    kept += rest
    return kept.split(separator: "\n").map { $0.drop { $0 == " " } }.filter { !$0.isEmpty }
      .joined(separator: "\n")
  }

  /// A text as it is written in HTML.
  private static func shown(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;")
  }
}
