/// What was counted on each day of a goal, and which days are excused.
///
/// Immutable chunks of 64 days, sorted, so that a change on one day of a long history copies little
/// more than that day's chunk.
public struct DayCounts: Hashable, Sendable {
  public struct Entry: Hashable, Sendable {
    public let day: Day
    /// Never negative.
    public var count: Int
    public var isExcused: Bool

    public init(day: Day, count: Int, isExcused: Bool) {
      self.day = day
      self.count = count
      self.isExcused = isExcused
    }
  }

  private struct Chunk: Hashable, Sendable {
    let key: Int32
    var entries: [Entry]
  }

  private var chunks: [Chunk] = []

  public init() {}

  public init(_ entries: some Sequence<Entry>) {
    for entry in entries { update(entry.day) { $0 = entry } }
  }

  public subscript(day: Day) -> Entry {
    let place = chunkIndex(Self.key(of: day))
    if place < chunks.count, chunks[place].key == Self.key(of: day) {
      let entries = chunks[place].entries
      let found = Self.index(of: day, in: entries)
      if found < entries.count, entries[found].day == day { return entries[found] }
    }
    return Entry(day: day, count: 0, isExcused: false)
  }

  /// The first day with a count or an excuse.
  public var first: Day? { chunks.first?.entries.first?.day }

  /// The first day with a count.
  public var firstCounted: Day? { firstCounted(from: .first) }

  /// The first day with a count, from a day on.
  public func firstCounted(from day: Day) -> Day? {
    var found: Day?
    visit(from: day) { entry in
      if entry.count > 0 { found = entry.day }
      return found == nil
    }
    return found
  }

  /// Adds to a day's count. The caller has made sure that it does not fall below 0; sums stay far
  /// from Int's end, which 2^43 of the largest bumps would reach.
  public mutating func add(_ amount: Int, on day: Day) {
    update(day) { $0.count = max(0, $0.count &+ amount) }
  }

  public mutating func setExcused(_ isExcused: Bool, on day: Day) {
    update(day) { $0.isExcused = isExcused }
  }

  /// The days with a count or an excuse in a range, in order.
  public func entries(in days: Range<Day>) -> [Entry] {
    var found: [Entry] = []
    visit(days) { found.append($0) }
    return found
  }

  public var all: [Entry] { chunks.flatMap(\.entries) }

  /// Whether every day before this one is the same. Takes the time of the chunks, not of the days,
  /// where the one was made of the other.
  func agrees(with other: DayCounts, before day: Day) -> Bool {
    let place = chunkIndex(Self.key(of: day))
    guard place == other.chunkIndex(Self.key(of: day)) else { return false }
    for index in 0..<place where chunks[index] != other.chunks[index] { return false }
    return entries(ofChunk: place, before: day) == other.entries(ofChunk: place, before: day)
  }

  private func entries(ofChunk place: Int, before day: Day) -> ArraySlice<Entry> {
    place < chunks.count ? chunks[place].entries.prefix { $0.day < day } : []
  }

  /// The sum of the counts, and whether there is an excused day, in a period.
  public func tally(in period: Period) -> (count: Int, isExcused: Bool) {
    var tally = (count: 0, isExcused: false)
    visit(period.start..<period.end) { entry in
      tally.count &+= entry.count
      tally.isExcused = tally.isExcused || entry.isExcused
    }
    return tally
  }

  private func visit(_ days: Range<Day>, _ body: (Entry) -> Void) {
    visit(from: days.lowerBound) { entry in
      guard entry.day < days.upperBound else { return false }
      body(entry)
      return true
    }
  }

  /// Visits the entries from a day on, in order, as long as `body` says so.
  private func visit(from day: Day, _ body: (Entry) -> Bool) {
    var place = chunkIndex(Self.key(of: day))
    while place < chunks.count {
      let entries = chunks[place].entries
      var index = Self.index(of: day, in: entries)
      while index < entries.count {
        guard body(entries[index]) else { return }
        index += 1
      }
      place += 1
    }
  }

  private mutating func update(_ day: Day, _ body: (inout Entry) -> Void) {
    let key = Self.key(of: day)
    let place = chunkIndex(key)
    if place == chunks.count || chunks[place].key != key {
      chunks.insert(Chunk(key: key, entries: []), at: place)
    }
    let index = Self.index(of: day, in: chunks[place].entries)
    let isThere =
      index < chunks[place].entries.count && chunks[place].entries[index].day == day
    var entry =
      isThere ? chunks[place].entries[index] : Entry(day: day, count: 0, isExcused: false)
    body(&entry)
    let isEmpty = entry.count == 0 && !entry.isExcused
    switch (isThere, isEmpty) {
    case (true, false): chunks[place].entries[index] = entry
    case (true, true): chunks[place].entries.remove(at: index)
    case (false, false): chunks[place].entries.insert(entry, at: index)
    case (false, true): break
    }
    if chunks[place].entries.isEmpty { chunks.remove(at: place) }
  }

  private static func key(of day: Day) -> Int32 { day.number >> 6 }

  /// The place of the first chunk with at least this key.
  private func chunkIndex(_ key: Int32) -> Int {
    if let last = chunks.last, last.key < key { return chunks.count }
    return chunks.partitioningIndex { $0.key >= key }
  }

  private static func index(of day: Day, in entries: [Entry]) -> Int {
    entries.partitioningIndex { $0.day >= day }
  }
}

extension Array {
  /// The first place from which on the condition holds, in an array where it holds for a suffix.
  func partitioningIndex(where holds: (Element) -> Bool) -> Int {
    var low = 0
    var high = count
    while low < high {
      let middle = low + (high - low) / 2
      if holds(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
