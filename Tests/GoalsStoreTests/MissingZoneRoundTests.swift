import GoalsCore
import Testing

@testable import GoalsStore
@testable import StoreTestSupport

private let lost = ZoneName.of("Test/Lost")

@Suite("A round of requests with a zone that can't be had")
struct MissingZoneRoundTests {
  private let asked = Collected<ZoneName>()
  private let backing = MemoryBacking()
  private let store: Store

  /// Accounts 1 and 3 are in that zone; account 2 is not.
  init() async throws {
    func store(
      _ zone: @escaping @Sendable (ZoneName) -> ZoneLookup, _ backing: MemoryBacking
    ) -> Store {
      let environment = StoreEnvironment(
        now: { .at("2026-11-20T12:00:00Z") }, zone: zone, track: { _ in })
      return Store(StoreEngine(backing, environment: environment, cacheLimit: Store.cacheLimit))
    }
    let before = store({ _ in .found(.utc) }, backing)
    for account in UInt64(1)...3 {
      let calendar = CalendarSettings(
        timeZone: account == 2 ? .utc : lost, weekStart: .monday, dayStart: .midnight)
      try before.book.addAccount(.some(account, calendar: calendar))
      _ = await before.send(.of(.addGoal, .activate, from: 1), to: account)
    }
    before.destroy()
    let asked = asked
    self.store = store(
      { name in
        asked.append(name)
        return name == lost ? .unavailable : .unknown
      }, backing)
  }

  @Test("records what the other accounts send")
  func others() async throws {
    let answers = await store.sendTogether([
      (1, .of(.bump, from: 3)), (2, .of(.bump, from: 3)), (3, .of(.bump, from: 3)),
      (2, .of(.bump, from: 4)),
    ])
    #expect(answers.map(\.ruling?.result) == [.noCalendar, .decided, .noCalendar, .decided])
    let versions = try (UInt64(1)...3).map { try store.state(.number($0))?.state.version.number }
    #expect(versions == [2, 4, 2])
  }

  @Test("asks for each zone once")
  func asksOnce() async throws {
    let named = ZoneName.of("Test/Named")
    let moves = (0..<50).map { _ in Edit(.configure(.init(timeZone: named))) }
    // A request whose account has to be read first comes into a later round.
    for account in UInt64(1)...3 { _ = try store.state(.number(account)) }
    _ = await store.sendTogether([
      (1, .of(.bump, .bump, from: 3)), (1, .of(.bump, from: 5)), (3, .of(.bump, from: 3)),
      (2, .of(all: moves, from: 3)), (2, .of(all: moves, from: 103)),
    ])
    #expect(asked.all.sorted() == [lost, named])
  }

  @Test("is told of each account", arguments: StoreKind.ofTier)
  func told(_ kind: StoreKind) async throws {
    let test = try TestStore(kind)
    for account in UInt64(1)...3 { try await test.store.addAccountWithGoal(account) }
    try test.store.book.addAccount(.some(4))
    let move = Edit(.configure(.init(timeZone: .of("Europe/Berlin"))))
    _ = await test.store.send(.of(move, from: 3), to: 2)
    #expect(
      try test.store.book.timeZones()
        == [
          .number(1): .utc, .number(2): .of("Europe/Berlin"), .number(3): .utc, .number(4): .utc,
        ])
  }
}
