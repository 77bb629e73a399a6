extension Fields {
  /// Whether a body in gzip suits the client at least as well as one that is not compressed, by
  /// `Accept-Encoding` (RFC 9110 §12.5.3).
  package var prefersGzip: Bool {
    var weights: [String: Double] = [:]
    for element in list("Accept-Encoding") {
      let parts = element.split(separator: ";", omittingEmptySubsequences: false).map {
        String(decoding: ASCII.trimmed(Array($0.utf8)[...]), as: UTF8.self).lowercased()
      }
      // An element that can't be read is passed over.
      guard let name = parts.first, parts.count < 3,
        let weight = parts.count == 1 ? 1 : Fields.weight(parts[1])
      else { continue }
      weights[name == "x-gzip" ? "gzip" : name] = weight
    }
    let others = weights["*"] ?? 0
    let gzip = weights["gzip"] ?? others
    return gzip > 0 && gzip >= weights["identity"] ?? others
  }

  /// The number of `q=0.5` (RFC 9110 §12.4.2); nil for anything else.
  private static func weight(_ text: String) -> Double? {
    let number = text.dropFirst(2)
    guard text.hasPrefix("q="), number.utf8.count <= 5, number.dropFirst().first ?? "." == ".",
      number.utf8.allSatisfy({ ASCII.isDigit($0) || $0 == UInt8(ascii: ".") }),
      let weight = Double(number), weight <= 1
    else { return nil }
    return weight
  }
}
