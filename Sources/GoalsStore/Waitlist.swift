import GoalsCore

/// A batch that waits for the writer, and what its answer is given to.
struct WaitingBatch {
  let sent: Store.SentBatch
  let answer: @Sendable (Answer) -> Void
  /// About how many edits of one goal it takes as long as.
  let weight: Int
  /// When it was first overtaken by another store of the same log.
  var overtakenSince: Duration?
  /// Whether the ids that it names are to be looked up in a log that is shared.
  var looksUp: Bool
  /// What was read of the account for this batch, because its state was not in memory.
  var lookUp = LookUp.pending
  /// Where it begins among those of other accounts: see `Waitlist`.
  fileprivate var start = 0

  enum LookUp {
    case pending
    /// Nil where there is no such account, or its state could not be read.
    case done(Published?)
  }

  init(sent: Store.SentBatch, answer: @escaping @Sendable (Answer) -> Void) {
    self.sent = sent
    self.answer = answer
    looksUp = sent.batch.looksBack
    weight = max(1, sent.batch.proposals.reduce(0) { $0 + $1.weight })
  }
}

/// The batches that wait for the writer, in lines by how much they ask for, so that nobody's few
/// edits wait behind another's thousands.
///
/// In each line accounts take turns, by the weight of what they ask for (start-time fair queuing:
/// Goyal, Vin and Cheng, SIGCOMM 1996). A batch starts where the account's last one ended, or
/// where the line is now if that is later. Between the lines there is no order: a client that wants
/// one batch after another waits for the first one's answer.
struct Waitlist {
  /// How many edits one transaction takes at most: enough to spread a sync over, few enough that
  /// nobody waits long behind it.
  static let maximumWeight = 2000
  /// The most batches of a line that one transaction takes. Where more than twice as many wait, it
  /// takes half of them.
  ///
  /// Where more wait, some clients are answered and send again while the batches of others are
  /// recorded. If all went at once, clients and server would wait for each other by turns. With 256
  /// connections this was worth 11 % (median of 12 pairs, 2026-11-28, AMD EPYC, two cores).
  private static let fewBatches = 128
  /// The largest weight of a batch in each line but the last, which has none. An undo stands with
  /// the bumps that came before it and after it.
  private static let bounds = [Proposal.weightOfUndo]

  private var lines = [[WaitingBatch]](repeating: [], count: bounds.count + 1)
  /// The start of what was last taken from each line.
  private var now = [Int](repeating: 0, count: bounds.count + 1)
  /// Where the last batch of each account ends that came since the line was empty.
  private(set) var ends = [[Account.ID: Int]](repeating: [:], count: bounds.count + 1)
  /// Whether the last line was passed over, because its first batch had no room. That line has the
  /// next batch to itself.
  private var isLastDue = false

  var count: Int { lines.reduce(0) { $0 + $1.count } }

  var isEmpty: Bool { lines.allSatisfy(\.isEmpty) }

  mutating func append(_ waiting: WaitingBatch) {
    let line = line(of: waiting)
    let account = waiting.sent.account
    var waiting = waiting
    waiting.start = max(now[line], ends[line][account] ?? 0)
    ends[line][account] = waiting.start + waiting.weight
    insert([waiting], in: line)
  }

  /// Inserts batches that are in the order of their starts, each behind those of the same start.
  private mutating func insert(_ batches: [WaitingBatch], in line: Int) {
    for waiting in batches {
      let last = lines[line].lastIndex { $0.start <= waiting.start }
      lines[line].insert(waiting, at: last.map { $0 + 1 } ?? 0)
    }
  }

  /// Puts batches before all others of their lines, in their order.
  mutating func prepend(_ batches: [WaitingBatch]) {
    for waiting in batches.reversed() { lines[line(of: waiting)].insert(waiting, at: 0) }
  }

  private func line(of waiting: WaitingBatch) -> Int {
    Self.bounds.firstIndex { waiting.weight <= $0 } ?? Self.bounds.count
  }

  /// Takes out what one transaction takes: whole batches, but at least one. Each line leaves half
  /// of what is left to those behind it, where any wait there.
  mutating func takeRound() -> [WaitingBatch] {
    let last = lines.count - 1
    if isLastDue {
      isLastDue = false
      return take(from: last, weight: Self.maximumWeight, atLeastOne: true)
    }
    var taken: [WaitingBatch] = []
    var rest = Self.maximumWeight
    for line in lines.indices {
      let share = lines[(line + 1)...].allSatisfy(\.isEmpty) ? rest : rest / 2
      let more = take(from: line, weight: share, atLeastOne: taken.isEmpty)
      rest -= more.reduce(0) { $0 + $1.weight }
      if taken.isEmpty { taken = more } else { taken += more }
      isLastDue = line == last && more.isEmpty && !lines[last].isEmpty
    }
    return taken
  }

  mutating func takeOut(_ accounts: Set<Account.ID>) -> Waitlist {
    var out = Waitlist()
    for line in lines.indices {
      out.lines[line] = lines[line].filter { accounts.contains($0.sent.account) }
      guard !out.lines[line].isEmpty else { continue }
      lines[line].removeAll { accounts.contains($0.sent.account) }
    }
    return out
  }

  /// Puts what was taken out before all that is there, but for others that start before.
  mutating func putBack(_ other: Waitlist) {
    for line in lines.indices where !other.lines[line].isEmpty {
      let rest = lines[line]
      lines[line] = other.lines[line]
      insert(rest, in: line)
    }
  }

  /// Takes out everything.
  mutating func takeAll() -> [WaitingBatch] {
    defer { self = Waitlist() }
    return lines.flatMap { $0 }
  }

  /// The first batches of a line that have at most this weight together, and of many the first
  /// half. The first batch in any case, if at least one is asked for.
  private mutating func take(from line: Int, weight limit: Int, atLeastOne: Bool) -> [WaitingBatch]
  {
    var weight = 0
    let most = max(Self.fewBatches, lines[line].count / 2)
    let end = lines[line].indices.first { index in
      weight += lines[line][index].weight
      return weight > limit || index >= most
    }
    let taken: [WaitingBatch]
    if let end {
      taken = Array(lines[line][..<max(end, atLeastOne ? 1 : 0)])
      lines[line].removeFirst(taken.count)
    } else {
      taken = lines[line]
      lines[line] = []
      // About as many wait while these are recorded.
      lines[line].reserveCapacity(taken.count)
    }
    if let last = taken.last { now[line] = max(now[line], last.start) }
    if lines[line].isEmpty {
      ends[line] = [:]
    } else if ends[line].count > 2 * lines[line].count + 1000 {
      // Others may have their turn a batch too early: while only new accounts come, `now` stands.
      let accounts = Set(lines[line].map(\.sent.account))
      ends[line] = ends[line].filter { accounts.contains($0.key) }
    }
    return taken
  }
}

extension Proposal {
  /// So many goals that are turned on or off take as long as another edit.
  private static var goalsAnEdit: Int { 4 }

  /// It may take back an activity of a thousand goals: 2.6 ms, where a bump takes 15 µs.
  fileprivate static var weightOfUndo: Int { 1 + 1000 / goalsAnEdit }

  fileprivate var weight: Int {
    switch self {
    case .edit(let proposed):
      switch proposed.edit {
      case .goal(.setActivity(let activity)): 1 + activity.count / Self.goalsAnEdit
      case .account(.undo): Self.weightOfUndo
      case .goal, .progress, .account: 1
      }
    case .put, .refused: 1
    }
  }
}
