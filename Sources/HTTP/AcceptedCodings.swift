/// Which content codings a client takes, by `Accept-Encoding` (RFC 9110 §12.5.3).
package struct AcceptedCodings: Sendable {
  /// In thousandths, by the names in lower case.
  private var weights: [String: Int] = [:]

  package init(_ fields: Fields) {
    for element in fields.list("Accept-Encoding") {
      let parts = element.split(separator: ";", omittingEmptySubsequences: false).map {
        String(decoding: ASCII.trimmed(Array($0.utf8)[...]), as: UTF8.self).lowercased()
      }
      // What can't be read asks for nothing.
      guard let name = parts.first, parts.count < 3,
        let weight = parts.count == 1 ? 1000 : Self.weight(parts[1])
      else { continue }
      weights[name == "x-gzip" ? "gzip" : name] = weight
    }
  }

  /// Whether what is compressed by gzip suits the client at least as well as what is not.
  package var prefersGzip: Bool {
    let others = weights["*"] ?? 0
    let gzip = weights["gzip"] ?? others
    return gzip > 0 && gzip >= weights["identity"] ?? others
  }

  /// The thousandths of `q=0.5` (RFC 9110 §12.4.2); nil for anything else.
  private static func weight(_ text: String) -> Int? {
    guard text.hasPrefix("q=") else { return nil }
    let digits = text.dropFirst(2).split(separator: ".", omittingEmptySubsequences: false)
    guard digits.count < 3, digits.first == "0" || digits.first == "1" else { return nil }
    let fraction = digits.count == 2 ? digits[1] : ""
    guard fraction.utf8.count <= 3, fraction.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
      return nil
    }
    let weight = Int(digits[0] + fraction + String(repeating: "0", count: 3 - fraction.utf8.count))
    return weight.flatMap { $0 <= 1000 ? $0 : nil }
  }
}
