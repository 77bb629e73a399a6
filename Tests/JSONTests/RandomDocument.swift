import TestSupport

/// Makes random values, and spells each in one of the many ways there are.
struct RandomDocument {
  var random: SeededDice

  init(seed: UInt64) { random = SeededDice(seed: seed) }

  mutating func tree(depth: Int = 0) -> Tree {
    switch Int.random(in: 0..<(depth < 6 ? 10 : 6), using: &random) {
    case 0: .null
    case 1: .bool(.random(using: &random))
    case 2, 3: .number(number())
    case 4, 5: .string(string())
    case 6, 7: .array((0..<count()).map { _ in tree(depth: depth + 1) })
    default: .object(members(depth: depth + 1))
    }
  }

  /// Names differ, since what a repeated name means is not JSON's to say.
  private mutating func members(depth: Int) -> [Tree.Member] {
    var names: Set<[UInt8]> = []
    return (0..<count()).compactMap { _ in
      let name = string()
      let value = tree(depth: depth)
      return names.insert(name).inserted ? Tree.Member(name: name, value: value) : nil
    }
  }

  private mutating func count() -> Int { Int.random(in: 0...5, using: &random) }

  private mutating func number() -> String {
    let sign = random.chance(1, in: 3) ? "-" : ""
    let whole =
      random.chance(1, in: 4) ? "0" : String(Int.random(in: 1...999_999_999, using: &random))
    let fraction = random.chance(1, in: 3) ? ".\(Int.random(in: 0...9999, using: &random))" : ""
    guard random.chance(1, in: 4) else { return sign + whole + fraction }
    let e = ["e", "E", "e+", "E-", "e-"].randomElement(using: &random) ?? "e"
    return sign + whole + fraction + e + String(Int.random(in: 0...20, using: &random))
  }

  private mutating func string() -> [UInt8] {
    var text = ""
    for _ in 0..<Int.random(in: 0...12, using: &random) {
      let range: ClosedRange<UInt32> =
        switch Int.random(in: 0..<10, using: &random) {
        case 0: 0...0x1F
        case 1: 0x80...0x7FF
        case 2: 0x800...0xD7FF
        case 3: 0xE000...0xFFFF
        case 4: 0x10000...0x10FFFF
        default: 0x20...0x7F
        }
      // NB: Foundation drops U+FEFF, the byte order mark, from the beginning of a string.
      let scalar = Unicode.Scalar(UInt32.random(in: range, using: &random))
      if let scalar, scalar != "\u{FEFF}" { text.unicodeScalars.append(scalar) }
    }
    return Array(text.utf8)
  }
}

extension RandomDocument {
  mutating func text(of tree: Tree) -> String {
    space() + bareText(of: tree) + space()
  }

  private mutating func bareText(of tree: Tree) -> String {
    switch tree {
    case .null: return "null"
    case .bool(let bool): return bool ? "true" : "false"
    case .number(let text): return text
    case .string(let utf8): return quoted(utf8)
    case .array(let elements):
      let texts = elements.map { text(of: $0) }
      return "[" + (texts.isEmpty ? space() : texts.joined(separator: ",")) + "]"
    case .object(let members):
      let texts = members.map { space() + quoted($0.name) + space() + ":" + text(of: $0.value) }
      return "{" + (texts.isEmpty ? space() : texts.joined(separator: ",")) + "}"
    }
  }

  private mutating func space() -> String {
    guard random.chance(1, in: 4) else { return "" }
    return [" ", "\n", "\r\n", "\t", "  \n "].randomElement(using: &random) ?? ""
  }

  /// Each character as itself, with a short escape or with its number, where these are allowed.
  private mutating func quoted(_ utf8: [UInt8]) -> String {
    var text = "\""
    for scalar in String(decoding: utf8, as: UTF8.self).unicodeScalars {
      let mustBeEscaped = scalar.value < 0x20 || scalar == "\"" || scalar == "\\"
      guard mustBeEscaped || random.chance(1, in: 8) else {
        text.unicodeScalars.append(scalar)
        continue
      }
      if let short = Self.shortEscapes[scalar], random.chance(1, in: 2) {
        text += short
      } else {
        for unit in String(scalar).utf16 { text += numbered(unit) }
      }
    }
    return text + "\""
  }

  private static let shortEscapes: [Unicode.Scalar: String] = [
    "\"": #"\""#, "\\": #"\\"#, "/": #"\/"#, "\u{8}": #"\b"#, "\u{C}": #"\f"#, "\n": #"\n"#,
    "\r": #"\r"#, "\t": #"\t"#,
  ]

  private mutating func numbered(_ unit: UInt16) -> String {
    let digits = String(unit, radix: 16, uppercase: .random(using: &random))
    return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
  }
}
