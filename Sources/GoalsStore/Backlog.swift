import GoalsCore

/// The changes that wait: those whose states are being read, and those that the writer may take.
struct Backlog {
  /// What is to be done for a change that came.
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
  private var unread: [Account.ID: [WaitingChange]] = [:]
  private var isAwake = false
  private(set) var isClosed = false

  var count: Int { unread.values.reduce(waiting.count) { $0 + $1.count } }

  /// Takes a change in. Of several of an account, the first has its state read.
  mutating func add(_ change: WaitingChange, isRead: Bool) -> Step {
    if isClosed { return .refuse }
    guard !isRead else {
      waiting.append(change)
      return wake()
    }
    unread[change.change.account, default: []].append(change)
    return unread[change.change.account]?.count == 1 ? .read : .nothing
  }

  /// Leaves the changes of an account to the writer: its state was read; nil where there is none,
  /// or it can't be.
  mutating func release(_ account: Account.ID, with state: Published?) -> Step {
    guard let changes = unread.removeValue(forKey: account) else { return .nothing }
    for var change in changes {
      change.lookUp = .done(state)
      waiting.append(change)
    }
    return wake()
  }

  /// Lets these go before all others.
  mutating func putBack(_ changes: [WaitingChange]) -> Step {
    if isClosed { return .refuse }
    waiting.prepend(changes)
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

  /// Takes out what one transaction takes, and says whether more waits. Changes of accounts that
  /// are in transactions already are not among either.
  mutating func takeBatch(
    without busy: Set<Account.ID>
  ) -> (taken: [WaitingChange], isMore: Bool) {
    let held = busy.isEmpty ? Waitlist() : waiting.takeOut(busy)
    let taken = waiting.takeBatch()
    isAwake = !waiting.isEmpty
    waiting.putBack(held)
    return (taken, isAwake)
  }

  /// Takes out what one transaction takes of an account.
  mutating func takeBatch(of account: Account.ID) -> [WaitingChange] {
    var own = waiting.takeOut([account])
    let taken = own.takeBatch()
    waiting.putBack(own)
    return taken
  }

  /// Takes everything out, and nothing in any more; says whether it was closed before.
  mutating func close() -> (wasClosed: Bool, [WaitingChange]) {
    defer { isClosed = true }
    let left = waiting.takeAll() + unread.values.flatMap { $0 }
    unread = [:]
    return (isClosed, left)
  }
}
