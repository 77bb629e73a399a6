/// How often per interval a goal is meant to be done: 1 to 1000000.
public struct Frequency: Hashable, Comparable, Sendable {
  /// What a frequency may be, as part of a sentence.
  public static let rule = "a frequency is a whole number from 1 to 1000000"
  /// The frequency of a goal that is made without one.
  public static let `default` = Frequency(known: 1)
  /// How often, 1 to 1000000.
  public let value: Int

  /// Nil outside of 1 to 1000000.
  public init?(_ value: some BinaryInteger) {
    guard let value = Int(exactly: value), (1...1_000_000).contains(value) else { return nil }
    self.value = value
  }

  private init(known value: Int) { self.value = value }

  public static func < (left: Self, right: Self) -> Bool { left.value < right.value }
}
