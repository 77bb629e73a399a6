import ChangePropagation
import GoalsCore
import GoalsStore
import Synchronization

/// The lists that were read lately, made once for everyone who reads them until an edit is recorded
/// or a period ends; and the streaks as they were counted last, to count on from there.
///
/// They observe the commits, and let go of the lists that those overtake. That comes after the
/// commit's answers, so a list is only given out for the state that is published.
final class Listings: Sendable {
  /// About how many bytes are kept.
  private static let limit = 32 << 20

  /// What is kept of one account.
  private struct Content {
    var listing: Listing?
    var streaks = StreakCounts()

    /// About how many bytes it takes. A count holds the chunks of days that were replaced since.
    var size: Int { (listing?.json.count ?? 0) + 2048 * streaks.count }
  }

  private final class Shelf: Sendable {
    let content = Mutex(Content())
  }

  private struct Shelves {
    var byAccount: [Account.ID: Shelf] = [:]
    var size = 0
  }

  private let world: World
  private let shelves = Mutex(Shelves())

  init(observing commits: Outlet<Commit>, in world: World) {
    self.world = world
    commits.observe(withContext: self) { listings, commit in listings.forget(commit.account) }
  }

  /// The list of an account's published state, if it was made and still reads so.
  func known(of account: Account.ID, _ published: Published) -> Listing? {
    let cursor = Cursor(published)
    let now = world.now()
    return shelves.withLock { $0.byAccount[account] }?.content.withLockIfAvailable { content in
      content.listing.flatMap { $0.cursor == cursor && $0.isValid(at: now) ? $0 : nil }
    } ?? nil
  }

  /// Reads the list of a published state: one that was made, or else a new one, in portions.
  func read(
    of account: Account.ID, _ published: Published, for asker: Asker, on queues: Queues,
    _ completion: @escaping Completion<Listing>
  ) {
    if let known = known(of: account, published) { return completion(.success(known)) }
    guard let make = making(of: account, published) else {
      return completion(.failure(.noCalendar))
    }
    queues.folds.run(
      of: account, for: asker, startsHere: true, in: world,
      make, completion)
  }

  /// Makes the list of an account's published state as it reads now, in portions: a function of how
  /// many steps to take at most, nil where it is not made yet. Nil where no calendar can be had.
  func making(
    of account: Account.ID, _ published: Published
  ) -> (@Sendable (_ steps: Int) -> Listing?)? {
    let now = world.now()
    guard let calendar = world.calendar(published.state.calendar) else { return nil }
    let reader = Mutex(GoalsReader(of: published.state, at: now, in: calendar))
    return { [self] steps in
      if let known = known(of: account, published) { return known }
      return reader.withLock { reader in
        withContent(of: account) { content in
          var steps = steps
          guard let goals = reader.read(&steps, counting: &content.streaks) else { return nil }
          let listing = Listing(goals, Cursor(published), at: now)
          content.listing = listing
          return listing
        }
      }
    }
  }

  /// Reads something of an account that needs streaks.
  func counting<Value: Sendable>(
    streaksOf account: Account.ID, _ read: (inout StreakCounts) -> Value
  ) -> Value {
    withContent(of: account) { read(&$0.streaks) }
  }

  private func withContent<Value: Sendable>(
    of account: Account.ID, _ read: (inout Content) -> Value
  ) -> Value {
    let shelf = shelves.withLock { shelves in
      if let shelf = shelves.byAccount[account] { return shelf }
      let shelf = Shelf()
      shelves.byAccount[account] = shelf
      return shelf
    }
    let done = shelf.content.withLockIfAvailable { content -> (Value, growth: Int) in
      let before = content.size
      let value = read(&content)
      return (value, content.size - before)
    }
    // Nobody waits here while somebody else reads a long list, least of all the writer.
    guard let (value, growth) = done else {
      var content = Content()
      return read(&content)
    }
    shelves.withLock { shelves in
      guard growth != 0, shelves.byAccount[account] === shelf else { return }
      shelves.size += growth
      if shelves.size > Self.limit { shelves = Shelves() }
    }
    return value
  }

  private func forget(_ account: Account.ID) {
    withContent(of: account) { $0.listing = nil }
  }
}
