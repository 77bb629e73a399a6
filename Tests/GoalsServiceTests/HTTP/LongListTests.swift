import GoalsCore
import Testing

@testable import GoalsService
@testable import GoalsStore

/// Where a list is made: a short one where it is asked for, a long one in portions elsewhere.
@Suite("A list of a long past") struct LongListTests {
  private static let account = Account.ID(high: 1, low: 1)

  /// A state whose goals, so many, have each so many days with a count.
  private func published(goals: Int, days: Int) throws -> Published {
    let start = Instant(seconds: 1_577_836_800)
    let list = try (1...goals).map { number in
      let goal = Goal(id: ID(high: 0, low: UInt64(number)), title: try #require(Title("A")))
      let first = GoalCalendar().day(of: start)
      let counts = try (0..<days).map { day in
        DayCounts.DayCount(
          day: try #require(first.adding(days: Int64(day))), count: 1, isExcused: false)
      }
      return TrackedGoal(
        id: goal.id, title: goal.title, colour: goal.colour, unit: nil,
        intervals: Timeline(goal.interval, from: start),
        frequencies: Timeline(goal.frequency, from: start), activity: Timeline(true, from: start),
        existence: Timeline(true, from: start), days: DayCounts(counts), notes: KeptNotes())
    }
    let roster = try #require(Roster(goals: list, order: Array(list.indices)))
    return Published(
      Snapshot(
        state: AccountState(
          version: Version(1), recordedAt: start, calendar: .initial, roster: roster),
        chain: Chain(words: (1, 2, 3, 4))))
  }

  /// How many portions a list takes, of so many steps each.
  private func portions(
    _ published: Published, of listings: Listings, _ steps: Int
  ) throws -> Int {
    let make = try #require(listings.making(of: Self.account, published))
    var portions = 1
    while make(steps) == nil { portions += 1 }
    return portions
  }

  @Test("is made at once where it is short, and later of what was counted before")
  func short() throws {
    let service = try TestService()
    let listings = Listings(observing: service.store.updated, in: service.world)
    #expect(try portions(published(goals: 20, days: 30), of: listings, FairQueue.stepsHere) == 1)
  }

  @Test("takes portions the first time, is made at once after a change, and is kept")
  func long() throws {
    let service = try TestService()
    let listings = Listings(observing: service.store.updated, in: service.world)
    let published = try published(goals: 50, days: 2000)
    #expect(listings.known(of: Self.account, published) == nil)
    #expect((5...20).contains(try portions(published, of: listings, FairQueue.steps)))
    #expect(listings.known(of: Self.account, published) != nil)
    var state = published.state
    let bump = RecordedEdit(
      version: Version(2), id: ID(high: 9, low: 9), at: service.world.now(),
      recordedAt: service.world.now(), device: "phone",
      edit: Edit(.bump(ID(high: 0, low: 7), by: .one, note: nil)),
      day: GoalCalendar().day(of: service.world.now()),
      reversal: { _ in Reversal(.setActivity([:])) })
    try #require(bump).transform(&state)
    let next = Published(Snapshot(state: state, chain: Chain(words: (5, 6, 7, 8))))
    #expect(listings.known(of: Self.account, next) == nil)
    #expect(try portions(next, of: listings, FairQueue.stepsHere) == 1)
  }
}
