import Testing

@testable import GoalsCore

/// Every day from the first to the twelfth of November is over; today is the thirteenth.
@Suite("What a goal remembers")
struct MemoryRuleTests {
  private static let today = "2026-11-13T12:00:00Z"

  private func account(since creation: String = "2026-11-01T00:00:00Z") -> TestAccount {
    .living(since: creation, now: Self.today, with: .some(1))
  }

  /// The frequency by which each day is judged, one digit a day.
  private func frequencies(_ account: TestAccount) -> String {
    account.periods(of: 1).map { String($0.frequency.value) }.joined()
  }

  /// How each day is judged: missed, paused, or not over.
  private func states(_ account: TestAccount) -> String {
    account.periods(of: 1).map { $0.state == .pending ? "." : $0.state == .paused ? "p" : "x" }
      .joined()
  }

  private static let frequencyChanges: [(changes: [(times: Int, at: String)], days: String)] = [
    ([], "1111111111111"),
    ([(3, "2026-11-05T12:00:00Z")], "1111333333333"),
    ([(3, "2026-11-05T00:00:00.000Z")], "1111333333333"),
    ([(3, "2026-11-04T23:59:59.999Z")], "1113333333333"),
    ([(3, "2026-11-05T12:00:00Z"), (2, "2026-11-08T12:00:00Z")], "1111333222222"),
    ([(3, "2026-11-08T12:00:00Z"), (2, "2026-11-05T12:00:00Z")], "1111222222222"),
    ([(3, "2026-11-05T12:00:00Z"), (2, "2026-11-05T12:00:00Z")], "1111222222222"),
    (
      [(3, "2026-11-05T12:00:00Z"), (2, "2026-11-09T12:00:00Z"), (4, "2026-11-07T12:00:00Z")],
      "1111334444444"
    ),
    // What holds at present, dated back, overrides too, once something else was there.
    ([(3, "2026-11-05T12:00:00Z"), (1, "2026-11-03T12:00:00Z")], "1111111111111"),
    (
      [(3, "2026-11-05T12:00:00Z"), (2, "2026-11-07T12:00:00Z"), (3, "2026-11-03T12:00:00Z")],
      "1133333333333"
    ),
    ([(3, "2026-11-13T12:00:00Z")], "1111111111113"),
  ]

  @Test(
    "holds from the change's `at` on; in log order it overrides what was there from that instant",
    arguments: frequencyChanges)
  private func order(_ changes: [(times: Int, at: String)], expected: String) {
    var altered = account()
    var updated = account()
    for (times, instant) in changes {
      altered.record(.alter(1, [.targeting(.times(times))]), at: .at(instant))
      updated.record(.update(.some(1, times: times)), at: .at(instant))
    }
    #expect(frequencies(altered) == expected)
    #expect(frequencies(updated) == expected)
  }

  private static let activityChanges: [(turns: [(isOn: Bool, at: String)], days: String)] = [
    ([(false, "2026-11-05T00:00:00Z")], "xxxxpppppppp."),
    (
      [(false, "2026-11-05T00:00:00Z"), (true, "2026-11-08T00:00:00Z")], "xxxxpppxxxxx."
    ),
    // Turned on with a date before it was turned off: it was never off.
    ([(false, "2026-11-05T00:00:00Z"), (true, "2026-11-03T00:00:00Z")], "xxxxxxxxxxxx."),
    ([(false, "2026-11-05T00:00:00Z"), (true, "2026-11-05T00:00:00Z")], "xxxxxxxxxxxx."),
    // Off for good from the third, whatever was on and off after it.
    (
      [
        (false, "2026-11-05T00:00:00Z"), (true, "2026-11-08T00:00:00Z"),
        (false, "2026-11-03T00:00:00Z"),
      ], "xxpppppppppp."
    ),
  ]

  @Test("of its activity is overridden likewise", arguments: activityChanges)
  private func activity(_ turns: [(isOn: Bool, at: String)], expected: String) {
    var account = account()
    for (isOn, instant) in turns { account.turn(on: isOn, at: instant) }
    #expect(states(account) == expected)
  }

  @Test("of one field stays when another is changed with an earlier date")
  func fields() {
    var account = account()
    account.record(.alter(1, [.targeting(.times(3))]), at: .at("2026-11-08T00:00:00Z"))
    account.turn(on: false, at: "2026-11-05T00:00:00Z")
    account.record(.alter(1, [.retitling(to: .of("Other"))]), at: .at("2026-11-02T00:00:00Z"))
    #expect(frequencies(account) == "1111111333333")
    #expect(states(account) == "xxxxpppppppp.")
    // This names a frequency, but does not change it.
    account.record(.update(.some(1, "Third", times: 3)), at: .at("2026-11-02T00:00:00Z"))
    #expect(frequencies(account) == "1111111333333")
  }

  @Test("of a goal stays when another goal is changed")
  func goals() {
    var account = TestAccount.living(now: Self.today, with: .some(1), .some(2))
    account.record(.alter(1, [.targeting(.times(3))]), at: .at("2026-11-08T00:00:00Z"))
    account.record(.alter(2, [.targeting(.times(5))]), at: .at("2026-11-03T00:00:00Z"))
    #expect(frequencies(account) == "1111111333333")
  }
}

/// The goal is made when the tenth of November begins; today is the thirteenth.
@Suite("A change dated before the goal's creation holds from the creation")
struct BeforeCreationTests {
  private let before = Instant.at("2026-11-03T12:00:00Z")
  private let account = TestAccount.living(
    since: "2026-11-10T00:00:00Z", now: "2026-11-13T12:00:00Z", with: .some(1))

  @Test("whichever field it is of")
  func fields() throws {
    var account = account
    account.record(
      .alter(1, [.targeting(.times(3)), .rescheduling(to: .weekly)]), at: before)
    account.turn(on: false, at: before.description)
    let goal = try #require(account.state.roster.goal(1))
    let creation = Instant.at("2026-11-10T00:00:00Z")
    #expect(goal.frequencies.entries == [.init(from: creation, value: .times(3))])
    #expect(goal.intervals.entries == [.init(from: creation, value: .weekly)])
    #expect(goal.activity.entries == [.init(from: creation, value: false)])
    #expect(account.history() == ["2026-11-09 pending 0/3"])
  }

  @Test("so that nothing is judged before it")
  func history() {
    var account = account
    account.record(.alter(1, [.targeting(.times(2))]), at: before)
    account.count(2, on: "2026-11-11")
    #expect(
      account.history() == [
        "2026-11-10 missed 0/2", "2026-11-11 met 2/2", "2026-11-12 missed 0/2",
        "2026-11-13 pending 0/2",
      ])
  }

  @Test("also where an earlier count has history begin before it")
  func counted() {
    var account = account
    account.record(.alter(1, [.rescheduling(to: .weekly)]), at: before)
    account.count(1, on: "2026-11-05")
    #expect(account.history() == ["2026-11-02 met 1/1", "2026-11-09 pending 0/1"])
  }

  @Test("so a goal that is deleted so was never there, until the deletion is taken back")
  func deletion() {
    var account = account
    let delete = account.record(.delete(1), at: before)
    #expect(
      account.history() == [
        "2026-11-10 paused 0/1", "2026-11-11 paused 0/1", "2026-11-12 paused 0/1",
        "2026-11-13 pending 0/1",
      ])
    account.record(.undo(delete), at: .at("2026-11-12T00:00:00Z"))
    #expect(
      account.history() == [
        "2026-11-10 paused 0/1", "2026-11-11 paused 0/1", "2026-11-12 missed 0/1",
        "2026-11-13 pending 0/1",
      ])
  }

  @Test("so one that is turned on so was on since its creation")
  func turnedOn() {
    var account = TestAccount(now: .at("2026-11-13T12:00:00Z"))
    account.record(.add(.some(1)), at: .at("2026-11-10T12:00:00Z"))
    account.turn(on: true, at: before.description)
    #expect(
      account.history() == [
        "2026-11-10 paused 0/1", "2026-11-11 missed 0/1", "2026-11-12 missed 0/1",
        "2026-11-13 pending 0/1",
      ])
    account.turn(on: false, at: "2026-11-12T12:00:00Z")
    // It was not there, so it was not active either.
    let bump = Edit(.bump(1, by: .one, note: nil))
    #expect(account.send(bump, at: .at("2026-11-10T11:59:59.999Z")).rejection == .inactiveGoal)
    #expect(account.send(bump, at: .at("2026-11-10T12:00:00Z")).recorded != nil)
  }
}
