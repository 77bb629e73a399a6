extension Fields {
  /// The coding that suits the client best, by `Accept-Encoding` (RFC 9110 §12.5.3). Of those that
  /// suit it equally well it is the one that makes the content smallest. Content as it is suits a
  /// client that names neither it nor `*` least.
  package var preferredCoding: ContentCoding {
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
    var best = (coding: ContentCoding.identity, weight: 0.0)
    for coding in [ContentCoding.identity, .gzip, .brotli] {
      let weight = weights[coding.token ?? "identity"] ?? weights["*"] ?? 0
      if weight > 0, weight >= best.weight { best = (coding, weight) }
    }
    return best.coding
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
