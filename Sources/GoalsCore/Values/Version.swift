/// How many edits an account has recorded: 0 for an empty log, then 1, 2, 3, … without a gap.
public struct Version: Hashable, Comparable, Sendable, CustomStringConvertible {
  public static let none = Version(0)
  public let number: Int

  /// A negative number counts as 0.
  public init(_ number: Int) { self.number = max(0, number) }

  public var next: Version { Version(number &+ 1) }
  public var description: String { String(number) }

  public static func < (left: Self, right: Self) -> Bool { left.number < right.number }
}
