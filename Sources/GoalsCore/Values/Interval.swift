/// How long the periods of a goal are; a period's frequency is counted in one of these.
public enum Interval: String, CaseIterable, Hashable, Sendable, CustomStringConvertible {
  case daily, weekly, monthly

  /// Reads a name exactly as it is printed.
  public init?(_ text: String) {
    self.init(rawValue: text)
  }

  public var description: String { rawValue }
}
