import Crypto
import FoundationEssentials

/// A page for people: one document with its styles and scripts in it, which loads nothing from
/// anywhere else.
///
/// The files that a document names, each on a line of its own, are embedded beside it. Nothing else
/// runs in it and nothing else styles it: its policy names them by their hashes (CSP Level 3
/// §2.3.1), and it takes no text for markup (Trusted Types §4.2). It may ask this server, and show
/// the pictures that it gets.
struct Page: Sendable {
  /// The reference of the interface, which has `openapi.yaml` in it and sends requests.
  static let docs = Page(EmbeddedFile.`docs.html`.text)

  let text: String
  /// Its Content-Security-Policy.
  let policy: String

  /// - Parameter document: HTML. `<link rel="stylesheet" href="a.css">` and
  ///   `<script src="a.js"></script>` become the texts of these files, and what ends in
  ///   ` data-file="a.yaml"></pre>` gets the text of that one to show.
  init(_ document: String) {
    var lines: [String] = []
    var styles: [String] = []
    var scripts: [String] = []
    for line in document.split(separator: "\n", omittingEmptySubsequences: false) {
      if let text = Self.file(named: line, between: #"<link rel="stylesheet" href=""#, #"">"#) {
        styles.append(Self.source(text))
        lines.append("<style>\(text)</style>")
      } else if let text = Self.file(named: line, between: #"<script src=""#, #""></script>"#) {
        scripts.append(Self.source(text))
        lines.append("<script>\(text)</script>")
      } else if let cut = line.firstRange(of: #" data-file=""#),
        let text = Self.file(
          named: line[cut.lowerBound...], between: #" data-file=""#, #""></pre>"#)
      {
        lines.append("\(line[..<cut.lowerBound])>\(Self.shown(text))</pre>")
      } else {
        lines.append(String(line))
      }
    }
    text = lines.joined(separator: "\n")
    policy = [
      "default-src 'none'",
      "script-src " + scripts.joined(separator: " "),
      "style-src " + styles.joined(separator: " "),
      "connect-src 'self'",
      "img-src data:",
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
      "require-trusted-types-for 'script'",
      "trusted-types 'none'",
    ].joined(separator: "; ")
  }

  private static func file(
    named line: Substring, between start: String, _ end: String
  ) -> String? {
    guard line.hasPrefix(start), line.hasSuffix(end) else { return nil }
    let name = line.dropFirst(start.count).dropLast(end.count)
    return EmbeddedFile.all.first { $0.name == name }?.text
  }

  /// A text as it is written in HTML.
  private static func shown(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;")
  }

  /// What allows exactly this text.
  private static func source(_ text: String) -> String {
    "'sha256-\(Data(SHA256.hash(data: Data(text.utf8))).base64EncodedString())'"
  }
}
