import ChangePropagation
import GoalsCore
import GoalsStore
import Synchronization

/// The lists that were read lately, made once for whoever reads them until an edit is recorded or a
/// period ends.
///
/// They observe the commits, and let go of what those overtake. That comes after the commit's answers,
/// so a list is only given out for the state that is published.
final class Listings: Sendable {
  /// How many bytes of JSON are kept.
  private static let limit = 32 << 20

  private struct Kept {
    var listings: [Account.ID: Listing] = [:]
    var size = 0
  }

  private let world: World
  private let kept = Mutex(Kept())

  init(observing commits: Outlet<Commit>, in world: World) {
    self.world = world
    commits.observe(withContext: self) { listings, commit in listings.forget(commit.account) }
  }

  /// The list of an account's published state, as it reads now.
  func current(of account: Account.ID, _ published: Published) -> Listing {
    let now = world.now()
    let cursor = Cursor(published.state.version, published.chain)
    let known = kept.withLock { $0.listings[account] }
    if let known, known.cursor == cursor, known.isValid(at: now) { return known }
    let calendar = world.zones.calendar(published.state.calendar)
    let listing = Listing(published.state.goals(at: now, in: calendar), cursor, at: now)
    keep(listing, account)
    return listing
  }

  private func keep(_ listing: Listing, _ account: Account.ID) {
    kept.withLock { kept in
      if kept.size + listing.json.count > Self.limit { kept = Kept() }
      let before = kept.listings.updateValue(listing, forKey: account)
      kept.size += listing.json.count - (before?.json.count ?? 0)
    }
  }

  private func forget(_ account: Account.ID) {
    kept.withLock { kept in
      kept.size -= kept.listings.removeValue(forKey: account)?.json.count ?? 0
    }
  }
}
