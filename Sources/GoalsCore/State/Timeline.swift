/// The values of a goal's interval, frequency, activity or existence, each with the instant from
/// which it held. By them history judges a period.
public struct Timeline<Value: Hashable & Sendable>: Hashable, Sendable {
  public struct Entry: Hashable, Sendable {
    public let from: Instant
    public let value: Value

    public init(from: Instant, value: Value) {
      self.from = from
      self.value = value
    }
  }

  /// The first value, which also holds before its instant, and the changes after it: their
  /// instants rise and neighbours differ.
  public private(set) var first: Entry
  public private(set) var later: [Entry]

  public init(_ value: Value, from: Instant) {
    first = Entry(from: from, value: value)
    later = []
  }

  /// The timeline with these entries, which were `entries` of one; nil for none.
  public init?(_ entries: [Entry]) {
    guard let first = entries.first else { return nil }
    self.init(first.value, from: first.from)
    for entry in entries.dropFirst() { set(entry.value, from: entry.from) }
  }

  public var entries: [Entry] { [first] + later }

  /// How many entries there are: at least one.
  public var count: Int { 1 + later.count }

  /// The entry at an index from 0 to `count - 1`.
  public subscript(index: Int) -> Entry { index == 0 ? first : later[index - 1] }

  /// The present value: the one that was set last, whatever its instant was.
  public var current: Value { later.last?.value ?? first.value }

  /// When the value that holds now came into force.
  public var currentSince: Instant { later.last?.from ?? first.from }

  public func value(at instant: Instant) -> Value {
    var steps = 0
    return value(at: instant, counting: &steps)
  }

  /// As above; counts the entries that are looked at.
  func value(at instant: Instant, counting steps: inout Int) -> Value {
    let next = later.partitioningIndex { entry in
      steps += 1
      return entry.from > instant
    }
    return next == 0 ? first.value : later[next - 1].value
  }

  /// The index of the entry that holds at an instant.
  func index(at instant: Instant) -> Int { later.partitioningIndex { $0.from > instant } }

  /// Whether the same held at every instant before this one.
  func agrees(with other: Timeline, before instant: Instant) -> Bool {
    // Two of which none was changed since they were one share their entries, which is seen at once.
    self == other
      || first == other.first
        && later[..<changes(before: instant)]
          == other.later[..<other.changes(before: instant)]
  }

  private func changes(before instant: Instant) -> Int {
    later.partitioningIndex { $0.from >= instant }
  }

  /// How many entries there would be once a value was set from an instant on.
  func count(setting value: Value, from instant: Instant) -> Int {
    let kept = changes(before: instant)
    if kept == 0, instant <= first.from { return 1 }
    return self[kept].value == value ? 1 + kept : 2 + kept
  }

  /// Makes a value hold from an instant on: everything remembered from that instant is overridden.
  /// An instant before the first is taken for the first.
  public mutating func set(_ value: Value, from instant: Instant) {
    while let last = later.last, last.from >= instant { later.removeLast() }
    if later.isEmpty, instant <= first.from {
      first = Entry(from: first.from, value: value)
    } else if current != value {
      later.append(Entry(from: instant, value: value))
    }
  }
}
