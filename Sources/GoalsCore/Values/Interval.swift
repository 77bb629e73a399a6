/// The length of a goal's periods; the goal's frequency counts within one of them.
public enum Interval: String, CaseIterable, Hashable, Sendable, CustomStringConvertible {
  case daily, weekly, monthly

  /// Reads a name exactly as it is printed.
  public init?(_ text: String) {
    self.init(rawValue: text)
  }

  public var description: String { rawValue }
}
