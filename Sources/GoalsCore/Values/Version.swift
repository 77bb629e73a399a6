/// How many edits an account has recorded: 0 for an empty log, then 1, 2, 3, … without a gap.
public struct Version: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// That of an empty log.
  public static let none = Version(0)
  /// How many edits the log has; never negative.
  public let number: Int

  /// A negative number counts as 0.
  public init(_ number: Int) { self.number = max(0, number) }

  /// The version of the next edit.
  public var next: Version { Version(number &+ 1) }
  public var description: String { String(number) }

  public static func < (left: Self, right: Self) -> Bool { left.number < right.number }
}
