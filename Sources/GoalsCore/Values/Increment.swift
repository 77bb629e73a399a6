/// The amount by which a bump changes a count: −1000000 to 1000000, but not 0.
public struct Increment: Hashable, Sendable {
  /// What an increment may be, as part of a sentence.
  public static let rule = "a bump counts by a whole number from -1000000 to 1000000, but not 0"
  /// What a bump counts where nothing else is said.
  public static let one = Increment(known: 1)
  /// The amount, from −1000000 to 1000000, but not 0.
  public let value: Int

  /// Nil for 0, and outside of −1000000 to 1000000.
  public init?(_ value: some BinaryInteger) {
    guard let value = Int(exactly: value), value != 0, (-1_000_000...1_000_000).contains(value)
    else { return nil }
    self.value = value
  }

  private init(known value: Int) { self.value = value }
}
