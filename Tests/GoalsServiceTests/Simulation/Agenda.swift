import GoalsCore

/// What is to happen, in the order of virtual time; of one moment, in the order in which it was
/// planned.
struct Agenda<Event> {
  struct Entry {
    let at: Instant
    let event: Event
  }

  /// The next one last.
  private var entries: [Entry] = []

  mutating func plan(_ event: Event, at instant: Instant) {
    let index = entries.lastIndex { $0.at > instant }.map { $0 + 1 } ?? 0
    entries.insert(Entry(at: instant, event: event), at: index)
  }

  mutating func next() -> Entry? { entries.popLast() }

  /// Takes the next one, if it is such a one.
  mutating func next(where isWanted: (Entry) -> Bool) -> Entry? {
    entries.last.map(isWanted) == true ? entries.popLast() : nil
  }

  mutating func removeAll(where isGone: (Event) -> Bool) {
    entries.removeAll { isGone($0.event) }
  }
}
