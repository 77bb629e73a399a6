import CQREncode
import Glibc
import GoalsService
import Terminal

/// A link by which somebody signs in once, as it is printed.
struct SignInLink {
  let text: String
  /// Until when it works, as an RFC 3339 instant.
  let endsAt: String

  /// - Parameter address: of the server, as people type it; nil for what the server says of itself.
  ///   Where none runs, it is the one where `goals serve` listens by default.
  init(_ link: AdminReply.NewLink, at address: String? = nil) {
    var base = address ?? link.address ?? "http://127.0.0.1:8080"
    while base.hasSuffix("/") { base.removeLast() }
    text = "\(base)/#code=\(link.code)"
    endsAt = link.endsAt
  }

  /// Prints the link alone on standard output, where that is a terminal with its QR code, and what
  /// is to be known of it on standard error.
  func show(_ head: String) throws {
    StandardError.write("\(head)\nIt works once, until \(Words.minute(endsAt)):\n")
    try StandardOutput.write(text + "\n")
    guard isatty(STDOUT_FILENO) == 1, let picture = QRCode(text)?.picture else { return }
    try StandardOutput.write("\n" + picture)
  }
}

/// A QR code (ISO/IEC 18004), by libqrencode.
private struct QRCode {
  private let width: Int
  /// Of each module whether it is dark, row by row.
  private let modules: [Bool]

  /// Nil for a text that is too long.
  init?(_ text: String) {
    let code = text.withCString { QRcode_encodeString8bit($0, 0, QR_ECLEVEL_L) }
    guard let code else { return nil }
    defer { QRcode_free(code) }
    let width = Int(code.pointee.width)
    self.width = width
    modules = (0..<width * width).map { code.pointee.data[$0] & 1 == 1 }
  }

  /// Black on white, whatever the terminal's colours are; two rows of modules in a line, and four
  /// light ones all around.
  var picture: String {
    let rows = Array(stride(from: -4, to: width + 4, by: 2))
    return rows.map { row in
      let line = (-4..<width + 4).map { column in
        switch (isDark(row, column), isDark(row + 1, column)) {
        case (true, true): "█"
        case (true, false): "▀"
        case (false, true): "▄"
        case (false, false): " "
        }
      }.joined()
      return "\u{1B}[38;5;16;48;5;231m\(line)\u{1B}[0m\n"
    }.joined()
  }

  private func isDark(_ row: Int, _ column: Int) -> Bool {
    guard (0..<width).contains(row), (0..<width).contains(column) else { return false }
    return modules[row * width + column]
  }
}
