/// The values of a goal's interval, frequency, activity or existence, each with the instant from
/// which it held. History judges a period by them.
public struct Timeline<Value: Hashable & Sendable>: Hashable, Sendable {
  /// A value, and since when it is in force.
  public struct Setting: Hashable, Sendable {
    /// The first instant at which the value is in force.
    public let from: Instant
    /// The value that is in force from then on.
    public let value: Value

    /// A value from an instant on.
    public init(from: Instant, value: Value) {
      self.from = from
      self.value = value
    }
  }

  /// The first value; it also holds before its instant.
  public private(set) var first: Setting
  /// The changes after the first value: their instants rise, and neighbours differ.
  public private(set) var later: [Setting]

  /// A timeline of one value.
  public init(_ value: Value, from: Instant) {
    first = Setting(from: from, value: value)
    later = []
  }

  /// A timeline from the `settings` of one; nil for an empty array.
  public init?(_ settings: [Setting]) {
    guard let first = settings.first else { return nil }
    self.init(first.value, from: first.from)
    for setting in settings.dropFirst() { set(setting.value, from: setting.from) }
  }

  /// The values in the order in which they came into force.
  public var settings: [Setting] { [first] + later }

  /// How many settings there are: at least one.
  public var count: Int { 1 + later.count }

  /// The setting at an index from 0 to `count - 1`.
  public subscript(index: Int) -> Setting { index == 0 ? first : later[index - 1] }

  /// The present value: the one that was set last, whatever its instant was.
  public var current: Value { later.last?.value ?? first.value }

  /// The instant from which the present value holds.
  public var currentSince: Instant { later.last?.from ?? first.from }

  /// The value in force at an instant; before the first, the first.
  public func value(at instant: Instant) -> Value { self[index(at: instant)].value }

  /// The index of the setting that holds at an instant.
  func index(at instant: Instant) -> Int { later.partitioningIndex { $0.from > instant } }

  /// Whether both held the same values before an instant.
  func agrees(with other: Timeline, before instant: Instant) -> Bool {
    // A timeline and its unchanged copy share their settings, so comparing them is quick.
    self == other
      || first == other.first
        && later[..<changes(before: instant)]
          == other.later[..<other.changes(before: instant)]
  }

  /// How many of the later settings came into force before an instant.
  func changes(before instant: Instant) -> Int {
    later.partitioningIndex { $0.from >= instant }
  }

  /// How many settings there would be after `set(value, from: instant)`.
  func count(setting value: Value, from instant: Instant) -> Int {
    let kept = changes(before: instant)
    if kept == 0, instant <= first.from { return 1 }
    return self[kept].value == value ? 1 + kept : 2 + kept
  }

  /// Makes a value hold from an instant on, and drops the settings at and after that instant. An
  /// instant before the first setting counts as the first setting's instant.
  public mutating func set(_ value: Value, from instant: Instant) {
    while let last = later.last, last.from >= instant { later.removeLast() }
    if later.isEmpty, instant <= first.from {
      first = Setting(from: first.from, value: value)
    } else if current != value {
      later.append(Setting(from: instant, value: value))
    }
  }
}
