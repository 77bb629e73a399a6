/// The colour in which a goal is shown: one of seven names, or sRGB written `#rrggbb`.
public enum Colour: Hashable, Sendable {
  case blue, cyan, green, yellow, orange, red, purple
  /// Any other colour, as its channels of sRGB.
  case custom(red: UInt8, green: UInt8, blue: UInt8)

  /// What a colour may be, as part of a sentence.
  public static let rule =
    "a colour is blue, cyan, green, yellow, orange, red, purple, or #rrggbb"
  /// The colour of a goal that is made without one.
  public static let `default` = Colour.green

  static let named: [(name: String, colour: Colour)] = [
    ("blue", .blue), ("cyan", .cyan), ("green", .green), ("yellow", .yellow),
    ("orange", .orange), ("red", .red), ("purple", .purple),
  ]

  /// Reads a name, or `#` and six hexadecimal digits in any case.
  public init?(_ text: some StringProtocol) {
    if let known = Self.named.first(where: { $0.name == text }) {
      self = known.colour
      return
    }
    let bytes = Array(text.utf8)
    guard bytes.count == 7, bytes[0] == UInt8(ascii: "#") else { return nil }
    let digits = bytes.dropFirst().compactMap(hexadecimalValue(of:))
    guard digits.count == 6 else { return nil }
    let channels = [0, 2, 4].map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
    self = .custom(red: channels[0], green: channels[1], blue: channels[2])
  }
}

extension Colour: CustomStringConvertible {
  public var description: String {
    switch self {
    case .blue: "blue"
    case .cyan: "cyan"
    case .green: "green"
    case .yellow: "yellow"
    case .orange: "orange"
    case .red: "red"
    case .purple: "purple"
    case .custom(let red, let green, let blue):
      "#"
        + String(
          decoding: [red, green, blue].flatMap {
            [hexadecimalDigit(for: $0 >> 4), hexadecimalDigit(for: $0)]
          }, as: UTF8.self)
    }
  }
}
