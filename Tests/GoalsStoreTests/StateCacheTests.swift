import GoalsCore
import Synchronization
import TestSupport
import Testing

@testable import GoalsStore

@Suite("The states in memory")
struct StateCacheTests {
  /// What an empty state is taken to cost.
  private let one = 1000

  private func state(_ version: Int = 0) -> Published {
    let state = AccountState(
      version: Version(version), recordedAt: nil, calendar: .initial, roster: Roster())
    return Published(Snapshot(state: state, chain: ChainMaker.start(.initial)))
  }

  private func id(_ number: Int) -> Account.ID { .number(UInt64(number)) }

  /// The state after a thousand bumps of as many days.
  private func bumped(with note: String? = nil) async throws -> Published {
    let store = try TestStore(.memory).store
    try await store.addAccountWithGoal()
    let day: Int64 = 86_400_000
    let bumps = (0..<1000).map { place in
      Proposal.edit(
        ProposedEdit(
          id: .number(UInt64(10 + place)),
          at: Instant(milliseconds: 1_700_000_000_000 + Int64(place) * day),
          edit: Edit(.bump(.number(1), by: .one, note: note.map { .of($0) }))))
    }
    // In many commits, as most of them only sum up.
    for start in stride(from: 0, to: bumps.count, by: 10) {
      let some = Array(bumps[start..<start + 10])
      _ = await store.send(Batch(device: "phone", proposals: some))
    }
    return try #require(try store.state(.number(1)))
  }

  @Test("cost about what they take", arguments: [nil, "x"] as [String?])
  func cost(_ note: String?) async throws {
    #expect(state().cost == one)
    let published = try await bumped(with: note)
    let read = Published(Snapshot(state: published.state, chain: published.chain))
    #expect((note == nil ? 20_000...40_000 : 200_000...300_000).contains(read.cost))
    #expect((read.cost...2 * read.cost).contains(published.cost))
  }

  @Test("do not cost more with every edit that leaves nothing behind")
  func steady() {
    var published = state()
    for version in 1...100_000 {
      let next = state(version)
      published = Published(
        next.state, Seal(chain: next.chain, payload: [], logBytes: 300 * version),
        after: published)
    }
    #expect(published.cost < 3 * one)
  }

  @Test("are kept as long as they fit, and hits through the next turn")
  func generations() {
    let cache = StateCache(limit: 20 * one)
    for number in 1...10 { cache.install(state(), id(number)) }
    for number in 1...10 { #expect(cache.published(id(number)) != nil) }
    // The eleventh makes the ten the old generation, of which only 3 is asked for.
    cache.install(state(), id(11))
    #expect(cache.published(id(3)) != nil)
    for number in 12...22 { cache.install(state(), id(number)) }
    #expect(cache.published(id(3)) != nil)
    #expect(cache.published(id(4)) == nil)
    #expect(cache.published(id(22)) != nil)
  }

  @Test("that are large let go only each other, but for the last")
  func large() async throws {
    let cache = StateCache(limit: 30 * one)
    let large = try await bumped()
    for number in 1...5 { cache.install(state(), id(number)) }
    for number in 11...13 {
      let mark = cache.mark
      cache.offer(large, id(number), readSince: mark)
      #expect(cache.published(id(number)) === large)
      #expect(cache.published(id(number - 1)) == nil)
      #expect((number == 11) == (cache.mark == mark))
    }
    for number in 1...5 { #expect(cache.published(id(number)) != nil) }
    #expect(cache.size.count == 6)
    // It is small by now, and large again.
    for next in [state(), large] {
      cache.install(next, id(13))
      #expect(cache.published(id(13)) === next)
      #expect(cache.size == (6, 5 * one + next.cost))
    }
    cache.remove(id(13))
    #expect(cache.size == (5, 5 * one))
  }

  @Test("are the last that the writer installed, in whichever generation they were")
  func installed() {
    let cache = StateCache(limit: 8 * one)
    let last = state(9)
    for turn in 0..<9 {
      cache.install(state(turn), id(1))
      for number in 2..<2 + turn { cache.install(state(), id(number)) }
      cache.install(last, id(1))
      #expect(cache.published(id(1)) === last, "\(turn)")
    }
  }

  @Test("are offered by readers only for a gap, and never in place of another")
  func offer() {
    let cache = StateCache(limit: 20 * one)
    let (first, second) = (state(1), state(2))
    cache.offer(first, id(1), readSince: cache.mark)
    #expect(cache.published(id(1)) === first)
    cache.offer(second, id(1), readSince: cache.mark)
    #expect(cache.published(id(1)) === first)
    // Nor in place of an old one.
    for number in 2...11 { cache.install(state(), id(number)) }
    cache.offer(second, id(1), readSince: cache.mark)
    #expect(cache.published(id(1)) === first)
  }

  @Test("are not offered when states were let go since they were read")
  func late() {
    let cache = StateCache(limit: 8 * one)
    let mark = cache.mark
    cache.install(state(2), id(1))
    for number in 2...17 { cache.install(state(), id(number)) }
    #expect(cache.published(id(1)) == nil)
    cache.offer(state(1), id(1), readSince: mark)
    #expect(cache.published(id(1)) == nil)
    // Nor when the account was removed since.
    let later = cache.mark
    cache.remove(id(1))
    cache.offer(state(1), id(1), readSince: later)
    #expect(cache.published(id(1)) == nil)
  }

  @Test("are gone when they are removed, from either generation")
  func remove() {
    let cache = StateCache(limit: 20 * one)
    for number in 1...15 { cache.install(state(), id(number)) }
    for number in 1...15 {
      cache.remove(id(number))
      #expect(cache.published(id(number)) == nil)
    }
    // What was removed costs nothing: ten fit again.
    for number in 1...10 { cache.install(state(), id(number)) }
    cache.install(state(), id(11))
    for number in 1...11 { #expect(cache.published(id(number)) != nil) }
  }

  private final class Weakly: Sendable {
    weak let state: Published?
    init(_ state: Published) { self.state = state }
  }

  @Test("stay within the limit when ten thousand accounts come by")
  func bounded() {
    let cache = StateCache(limit: 100 * one)
    var dice = Dice()
    var states: [Weakly] = []
    for number in 1...10_000 {
      let state = state()
      states.append(Weakly(state))
      if dice.chance(1, in: 2) {
        cache.install(state, id(number))
      } else {
        cache.offer(state, id(number), readSince: cache.mark)
      }
      for _ in 0..<3 { _ = cache.published(id(.random(in: 1...number, using: &dice))) }
    }
    let kept = states.filter { $0.state != nil }.count
    #expect((40...102).contains(kept), dice.note)
  }

  @Test("hold a single one that is larger than all of them may be")
  func large() {
    let cache = StateCache(limit: one / 2)
    cache.install(state(1), id(1))
    #expect(cache.published(id(1)) != nil)
    cache.install(state(2), id(2))
    #expect(cache.published(id(1)) == nil)
    #expect(cache.published(id(2))?.state.version == Version(2))
  }
}

@Suite("States that are asked for while the writer writes")
struct CacheMissTests {
  @Test("are never older than what was answered before", arguments: StoreKind.ofTier)
  func monotonic(_ kind: StoreKind) async throws {
    // Room for one or two, so that they come and go all the time.
    let store = try TestStore(kind, cacheLimit: 5000).store
    let accounts = UInt64(5)
    for account in 1...accounts { try await store.addAccountWithGoal(account) }
    let answered = Versions(accounts)
    let seed = Dice().seed
    let isOver = Flag()
    let stale = try await onThreads(4) { thread -> [String] in
      var dice = Dice(seed: seed &+ UInt64(thread))
      var stale: [String] = []
      if thread == 0 {
        defer { isOver.raise() }
        for number in 0..<Tier.volume(150, all: 400) {
          let account = UInt64.random(in: 1...accounts, using: &dice)
          let answer = store.sendAndWait(.of(.bump, from: UInt64(10 + number)), to: account)
          answered.raise(account, to: answer?.ruling?.stateVersion ?? .none)
        }
        return stale
      }
      while !isOver.isRaised {
        let account = UInt64.random(in: 1...accounts, using: &dice)
        let before = answered.version(account)
        let read = try store.state(.number(account))?.state.version ?? .none
        if read < before { stale.append("\(read) after \(before)") }
      }
      return stale
    }
    #expect(stale.joined().isEmpty, "\(stale), repeat it with GOALS_TEST_SEED=\(seed)")
    for account in 1...accounts {
      let head = try store.log.page(.number(account), .none, 0)?.head
      #expect(try store.state(.number(account))?.state.version == head)
    }
  }

  /// The newest version of each account that was answered.
  private final class Versions: Sendable {
    private let versions: Mutex<[UInt64: Version]>

    init(_ accounts: UInt64) {
      versions = Mutex(Dictionary(uniqueKeysWithValues: (1...accounts).map { ($0, Version(2)) }))
    }

    func version(_ account: UInt64) -> Version {
      versions.withLock { $0[account] ?? .none }
    }

    func raise(_ account: UInt64, to version: Version) {
      versions.withLock { $0[account] = max($0[account] ?? .none, version) }
    }
  }
}
