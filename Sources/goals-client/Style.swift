import Foundation
import GoalsCore
import Terminal

/// What the output can show: colours, and other letters than those of ASCII.
struct Style {
  let hasColours: Bool
  let hasUnicode: Bool
  /// The cells of a line; nil where it is no terminal: then nothing is cut.
  let width: Int?
  /// The lines of the terminal; nil where it is none.
  let height: Int?

  /// That of standard output. There are no colours where `NO_COLOR` is set (no-color.org), for a
  /// dumb terminal, or where it is no terminal.
  static var ofOutput: Style {
    let environment = ProcessInfo.processInfo.environment
    let isTerminal = isatty(STDOUT_FILENO) == 1
    let locale =
      ["LC_ALL", "LC_CTYPE", "LANG"].lazy
      .compactMap { environment[$0].flatMap { $0.isEmpty ? nil : $0 } }.first ?? ""
    var size = winsize()
    let isKnown = isTerminal && ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0
    let charset = locale.uppercased()
    return Style(
      hasColours: isTerminal && (environment["NO_COLOR"] ?? "").isEmpty
        && environment["TERM"] ?? "dumb" != "dumb",
      // The names of a UTF-8 locale, and a pipe to a program of today.
      hasUnicode: charset.contains("UTF-8") || charset.contains("UTF8") || locale.isEmpty,
      width: isKnown && size.ws_col > 0 ? Int(size.ws_col) : nil,
      height: isKnown && size.ws_row > 0 ? Int(size.ws_row) : nil)
  }

  /// A text in a colour (ECMA-48, 8.3.117), or as it is.
  func paint(_ text: String, _ colour: Colour?) -> String {
    guard hasColours, let colour else { return text }
    return "\u{1B}[\(Self.code(of: colour))m\(text)\u{1B}[0m"
  }

  func faint(_ text: String) -> String {
    hasColours ? "\u{1B}[2m\(text)\u{1B}[0m" : text
  }

  func bold(_ text: String) -> String {
    hasColours ? "\u{1B}[1m\(text)\u{1B}[0m" : text
  }

  /// Named colours are the terminal's own, which suit its background.
  private static func code(of colour: Colour) -> String {
    switch colour {
    case .blue: return "34"
    case .cyan: return "36"
    case .green: return "32"
    case .yellow: return "33"
    case .orange: return "38;5;208"
    case .red: return "31"
    case .purple: return "35"
    case .custom(let red, let green, let blue): return "38;2;\(red);\(green);\(blue)"
    }
  }
}
