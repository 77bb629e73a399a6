import GoalsCore

/// The changes that wait for the writer, in two lines, so that nobody's single edit waits behind
/// another's thousands.
///
/// Within a line the order is that of arrival. Between the lines it is not: who wants one change
/// after another waits for the first one's answer.
struct Waitlist {
  struct Change {
    let change: Store.Change
    let answer: @Sendable (Answer) -> Void

    var size: Int { change.batch.proposals.count }
  }

  /// How many edits one transaction takes: enough to spread a sync over, few enough that nobody
  /// waits long behind it.
  static let maximumEdits = 2000
  /// How many of them the short line may take while the long one waits, so that each moves on.
  private static let maximumShortEdits = maximumEdits / 2
  /// How many edits a change has at most to stand in the short line.
  private static let shortSize = 16

  private var short: [Change] = []
  private var long: [Change] = []

  var count: Int { short.count + long.count }

  var isEmpty: Bool { short.isEmpty && long.isEmpty }

  mutating func append(_ change: Change) {
    if change.size <= Self.shortSize { short.append(change) } else { long.append(change) }
  }

  /// Takes out what one transaction takes: whole changes, but at least one.
  mutating func takeTurn() -> [Change] {
    let limit = long.isEmpty ? Self.maximumEdits : Self.maximumShortEdits
    let first = Self.take(from: &short, edits: limit)
    let taken = first.reduce(0) { $0 + $1.size }
    return first + Self.take(from: &long, edits: Self.maximumEdits - taken)
  }

  /// Takes out everything.
  mutating func takeAll() -> [Change] {
    defer { self = Waitlist() }
    return short + long
  }

  /// The first changes of a line that have at most so many edits together; the first in any case.
  private static func take(from line: inout [Change], edits limit: Int) -> [Change] {
    var edits = 0
    let end = line.firstIndex { next in
      edits += next.size
      return edits > limit
    }
    let taken = Array(line[..<max(end ?? line.count, min(1, line.count))])
    line.removeFirst(taken.count)
    return taken
  }
}
