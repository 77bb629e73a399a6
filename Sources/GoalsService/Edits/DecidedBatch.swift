import GoalsCore
import Synchronization

/// A batch that was decided: what became of its edits, and the account as it was then.
///
/// An object, because it is handed on from the store to the endpoint that makes the answer.
package final class DecidedBatch: Sendable {
  /// The part of the account that an answer shows.
  enum Part: Sendable {
    case nothing
    /// A goal, if it is in the list.
    case goal(Goal.ID)
    case list
  }

  /// What is shown: being read, or as it reads.
  private enum View {
    case reader(GoalsReader)
    case goals(Goals)
  }

  let account: Account.ID
  package let ruling: Ruling
  package let chain: Chain
  package let now: Instant
  private let listings: Listings
  private let view = Mutex<View?>(nil)

  init(
    _ ruling: Ruling, chain: Chain, of account: Account.ID, in world: World, _ listings: Listings
  ) {
    self.account = account
    self.ruling = ruling
    self.chain = chain
    now = world.now()
    self.listings = listings
  }

  /// The position in the log at which the ruling's state is.
  package var cursor: Cursor { Cursor(ruling.stateVersion, chain) }

  /// Whether nothing of the edits is recorded.
  var isRefused: Bool {
    ruling.result != .decided || ruling.outcomes.contains { $0.rejection != nil }
  }

  /// Reads what is shown of the state for about so many steps, and answers whether that is over.
  func read(_ shown: Part, _ steps: Int) -> Bool {
    if case .nothing = shown { return true }
    return view.withLock { view in
      if case .goals? = view { return true }
      guard var reader = reader(of: view, shown) else { return true }
      var steps = steps
      let goals = listings.counting(streaksOf: account) { reader.read(&steps, counting: &$0) }
      view = goals.map { .goals($0) } ?? .reader(reader)
      return goals != nil
    }
  }

  private func reader(of view: View?, _ shown: Part) -> GoalsReader? {
    if case .reader(let reader)? = view { return reader }
    // NB: a batch of which something is shown shows the state, and progress.
    guard let state = ruling.state, let calendar = ruling.calendar else { return nil }
    switch shown {
    case .nothing: return nil
    case .goal(let id): return GoalsReader(of: id, in: state, at: now, in: calendar)
    case .list: return GoalsReader(of: state, at: now, in: calendar)
    }
  }

  private var goals: Goals? {
    view.withLock { if case .goals(let goals)? = $0 { goals } else { nil } }
  }

  /// The list as it reads in that state; nil where it was not read.
  package var listing: Listing? { goals.map { Listing($0, cursor, at: now) } }

  /// A goal as it reads in that state; nil where it is not in the list, or was not read.
  package func item(_ id: Goal.ID) -> Goals.Item? {
    goals?.items.first { $0.goal.id == id }
  }
}
