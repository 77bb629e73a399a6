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
  private var unread: [Account.ID: [Waitlist.Change]] = [:]
  private var isAwake = false
  private(set) var isClosed = false

  var count: Int { unread.values.reduce(waiting.count) { $0 + $1.count } }

  /// Takes a change in. Of several of an account, the first has its state read.
  mutating func add(_ change: Waitlist.Change, isRead: Bool) -> Step {
    if isClosed { return .refuse }
    guard !isRead else {
      waiting.append(change)
      return wake()
    }
    unread[change.change.account, default: []].append(change)
    return unread[change.change.account]?.count == 1 ? .read : .nothing
  }

  /// Leaves the changes of an account to the writer: its state was read, or can't be.
  mutating func release(_ account: Account.ID) -> Step {
    guard let changes = unread.removeValue(forKey: account) else { return .nothing }
    for change in changes { waiting.append(change) }
    return wake()
  }

  /// Lets these go before all others; whether the writer is to be woken.
  mutating func putBack(_ changes: [Waitlist.Change]) -> Bool {
    waiting.prepend(changes)
    defer { isAwake = true }
    return !isAwake
  }

  private mutating func wake() -> Step {
    defer { isAwake = true }
    return isAwake ? .nothing : .wake
  }

  /// Takes out what one transaction takes, and says whether more waits.
  mutating func takeBatch() -> (taken: [Waitlist.Change], isMore: Bool) {
    let taken = waiting.takeBatch()
    isAwake = !waiting.isEmpty
    return (taken, isAwake)
  }

  /// Takes everything out, and nothing in any more; says whether it was closed before.
  mutating func close() -> (wasClosed: Bool, [Waitlist.Change]) {
    defer { isClosed = true }
    let left = waiting.takeAll() + unread.values.flatMap { $0 }
    unread = [:]
    return (isClosed, left)
  }
}
