/// How often per interval a goal is meant to be done: 1 to 1000000.
public struct Frequency: Hashable, Comparable, Sendable {
  public static let rule = "a frequency is a whole number from 1 to 1000000"
  public static let `default` = Frequency(known: 1)
  public let value: Int

  public init?(_ value: some BinaryInteger) {
    guard let value = Int(exactly: value), (1...1_000_000).contains(value) else { return nil }
    self.value = value
  }

  private init(known value: Int) { self.value = value }

  public static func < (left: Self, right: Self) -> Bool { left.value < right.value }
}
