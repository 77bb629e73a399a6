import GoalsCore

/// The batches that wait: those whose states are being read, and those that the writer may take.
struct Backlog {
  /// What is to be done for a batch that came.
  enum Step {
    case nothing
    /// Its state is to be read.
    case read
    /// The writer is to be woken.
    case wake
    /// The store is closed.
    case refuse
  }

  private var waiting = Waitlist()
  private var unread: [Account.ID: [WaitingBatch]] = [:]
  private var isAwake = false
  private(set) var isClosed = false

  var count: Int { unread.values.reduce(waiting.count) { $0 + $1.count } }

  /// Takes a batch in. Of several of an account, the first has its state read.
  mutating func add(_ batch: WaitingBatch, isRead: Bool) -> Step {
    if isClosed { return .refuse }
    guard !isRead else {
      waiting.append(batch)
      return wake()
    }
    unread[batch.sent.account, default: []].append(batch)
    return unread[batch.sent.account]?.count == 1 ? .read : .nothing
  }

  /// Leaves the batches of an account to the writer: its state was read; nil where there is none,
  /// or it can't be.
  mutating func release(_ account: Account.ID, with state: Published?) -> Step {
    guard let batches = unread.removeValue(forKey: account) else { return .nothing }
    for var batch in batches {
      batch.lookUp = .done(state)
      waiting.append(batch)
    }
    return wake()
  }

  /// Lets these go before all others.
  mutating func putBack(_ batches: [WaitingBatch]) -> Step {
    if isClosed { return .refuse }
    waiting.prepend(batches)
    return wake()
  }

  /// Has the writer look again, where anything waits for it: it may have been awake, and have had
  /// no lane free.
  mutating func lookAgain() -> Step {
    isAwake = !waiting.isEmpty
    return isAwake ? .wake : .nothing
  }

  private mutating func wake() -> Step {
    defer { isAwake = true }
    return isAwake ? .nothing : .wake
  }

  /// Takes out what one transaction takes, and says whether more waits. Batches of accounts that
  /// are in transactions already are not among either.
  mutating func takeRound(
    without busy: Set<Account.ID>
  ) -> (taken: [WaitingBatch], isMore: Bool) {
    let held = busy.isEmpty ? Waitlist() : waiting.takeOut(busy)
    let taken = waiting.takeRound()
    isAwake = !waiting.isEmpty
    waiting.putBack(held)
    return (taken, isAwake)
  }

  /// Takes out what one transaction takes of an account.
  mutating func takeRound(of account: Account.ID) -> [WaitingBatch] {
    var own = waiting.takeOut([account])
    let taken = own.takeRound()
    waiting.putBack(own)
    return taken
  }

  /// Takes everything out, and nothing in any more; says whether it was closed before.
  mutating func close() -> (wasClosed: Bool, [WaitingBatch]) {
    defer { isClosed = true }
    let left = waiting.takeAll() + unread.values.flatMap { $0 }
    unread = [:]
    return (isClosed, left)
  }
}
