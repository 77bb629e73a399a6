import Testing

@testable import GoalsCore

/// The first of November is a Sunday, the twentieth, which is today, a Friday.
@Suite("A period")
struct JudgedPeriodTests {
  @Test("is there from that of the goal's creation to the running one")
  func all() {
    let account = TestAccount.with(.some(1))
    let starts = account.periods(of: 1).map(\.period.start.description)
    #expect(starts.count == 20)
    #expect(starts.first == "2026-11-01")
    #expect(starts.last == "2026-11-20")
  }

  @Test("is met, missed or pending by its count")
  func counts() {
    var account = TestAccount.with(.some(1, times: 2))
    account.count(1, on: "2026-11-17")
    account.count(2, on: "2026-11-18")
    account.count(9, on: "2026-11-19")
    account.count(1, on: "2026-11-20")
    let judged = account.periods(of: 1).suffix(5)
    #expect(judged.map(\.state) == [.missed, .missed, .met, .met, .pending])
    #expect(judged.map(\.count) == [0, 1, 2, 9, 1])
    #expect(judged.allSatisfy { $0.frequency == .times(2) && $0.interval == .daily })
  }

  @Test("is met as soon as the count is reached")
  func metEarly() {
    var account = TestAccount.with(.some(1, "Yoga", .monthly, times: 2))
    account.count(2, on: "2026-11-02")
    #expect(account.judgement(of: 1, "2026-11-01") == .met)
  }

  @Test("is pending until its last instant is over")
  func pending() {
    let account = TestAccount.with(.some(1))
    let judgement = { account.judgement(of: 1, "2026-11-19", until: .at($0)) }
    #expect(judgement("2026-11-19T00:00:00.000Z") == .pending)
    #expect(judgement("2026-11-19T23:59:59.999Z") == .pending)
    #expect(judgement("2026-11-20T00:00:00.000Z") == .missed)
    #expect(judgement("2026-11-18T23:59:59.999Z") == nil)
  }

  @Test("is a week or a month of the calendar")
  func weeksAndMonths() {
    var account = TestAccount.with(.some(1, "W", .weekly), .some(2, "M", .monthly))
    account.count(1, 1, on: "2026-11-08", "2026-11-09", "2026-11-15")
    let weeks = account.periods(of: 1)
    #expect(
      weeks.map(\.period) == [
        .from("2026-10-26", to: "2026-11-02"), .from("2026-11-02", to: "2026-11-09"),
        .from("2026-11-09", to: "2026-11-16"), .from("2026-11-16", to: "2026-11-23"),
      ])
    #expect(weeks.map(\.count) == [0, 1, 2, 0])
    // The goal did not exist when the week of its creation began.
    #expect(weeks.map(\.state) == [.paused, .met, .met, .pending])
    #expect(account.periods(of: 2).map(\.period) == [.from("2026-11-01", to: "2026-12-01")])
  }

  @Test("is there from the earliest count, if that is before the goal's creation")
  func earliestCount() {
    var account = TestAccount.with(.some(1))
    account.count(1, on: "2026-10-29")
    let judged = account.periods(of: 1).prefix(4)
    #expect(judged.map(\.period.start.description).first == "2026-10-29")
    #expect(judged.map(\.state) == [.met, .paused, .paused, .missed])
  }

  @Test("of a goal created within it is paused")
  func creation() {
    let early = TestAccount.with(.some(1), createdAt: .at("2026-11-18T00:00:00.000Z"))
    #expect(early.periods(of: 1).map(\.state) == [.missed, .missed, .pending])
    let late = TestAccount.with(.some(1), createdAt: .at("2026-11-18T00:00:00.001Z"))
    #expect(late.periods(of: 1).map(\.state) == [.paused, .missed, .pending])
  }

  @Test("of a goal that was never turned on is paused, the running one pending")
  func neverActive() {
    var account = TestAccount()
    account.record(.add(.some(1)), at: .at("2026-11-18T00:00:00Z"))
    #expect(account.periods(of: 1).map(\.state) == [.paused, .paused, .pending])
  }

  @Test("goes on to be judged after the goal is deleted, as paused")
  func deleted() {
    var account = TestAccount.with(.some(1))
    account.count(1, on: "2026-11-17", "2026-11-19")
    account.record(.delete(1), at: .at("2026-11-18T12:00:00Z"))
    let states = account.periods(of: 1).suffix(4).map(\.state)
    #expect(states == [.met, .paused, .met, .pending])
  }
}

@Suite("A skipped period")
struct SkippedPeriodTests {
  @Test("holds an excused day, one for a whole week")
  func week() {
    var account = TestAccount.with(.some(1, "W", .weekly, times: 2))
    account.count(1, on: "2026-11-10")
    account.record(.skip(1), at: .at("2026-11-11T12:00:00Z"))
    #expect(account.judgement(of: 1, "2026-11-09") == .skipped)
    #expect(account.judgement(of: 1, "2026-11-02") == .missed)
  }

  @Test("is skipped before it is over, and before it is paused")
  func first() {
    var account = TestAccount.with(.some(1))
    account.record(.skip(1))
    #expect(account.judgement(of: 1, "2026-11-20") == .skipped)
    account.turn(on: false, at: "2026-11-20T12:00:00Z")
    #expect(account.judgement(of: 1, "2026-11-20") == .skipped)
  }

  @Test("is met all the same where the count is reached")
  func met() {
    var account = TestAccount.with(.some(1))
    account.record(.skip(1))
    account.count(1, on: "2026-11-20")
    #expect(account.judgement(of: 1, "2026-11-20") == .met)
  }

  @Test("is skipped no more when the skip is taken back")
  func undo() {
    var account = TestAccount.with(.some(1))
    let skip = account.record(.skip(1), at: .at("2026-11-19T12:00:00Z"))
    #expect(account.judgement(of: 1, "2026-11-19") == .skipped)
    account.record(.undo(skip))
    #expect(account.judgement(of: 1, "2026-11-19") == .missed)
  }
}

@Suite("A paused period")
struct PausedPeriodTests {
  @Test(
    "is one at whose start or end the goal was off",
    arguments: [
      ("2026-11-17T12:00:00.000Z", "2026-11-18T06:00:00.000Z", true),
      ("2026-11-17T12:00:00.000Z", "2026-11-18T00:00:00.001Z", true),
      ("2026-11-18T00:00:00.000Z", "2026-11-18T00:00:00.001Z", true),
      ("2026-11-17T12:00:00.000Z", "2026-11-18T00:00:00.000Z", false),
      ("2026-11-18T00:00:00.001Z", "2026-11-18T23:59:59.999Z", false),
      ("2026-11-18T06:00:00.000Z", "2026-11-18T18:00:00.000Z", false),
      ("2026-11-18T23:59:59.999Z", "2026-11-19T00:00:00.000Z", true),
      ("2026-11-18T18:00:00.000Z", "2026-11-19T12:00:00.000Z", true),
      ("2026-11-19T00:00:00.000Z", "2026-11-19T12:00:00.000Z", false),
      ("2026-11-10T00:00:00.000Z", "2026-11-20T00:00:00.000Z", true),
    ])
  func startAndEnd(_ off: String, _ on: String, isPaused: Bool) {
    var account = TestAccount.with(.some(1))
    account.turn(on: false, at: off)
    account.turn(on: true, at: on)
    #expect(account.judgement(of: 1, "2026-11-18") == (isPaused ? .paused : .missed))
  }

  @Test(
    "is one in which it was off for a whole day",
    arguments: [
      ("2026-11-10T00:00:00.000Z", "2026-11-11T00:00:00.000Z", true),
      ("2026-11-10T00:00:00.001Z", "2026-11-11T00:00:00.000Z", false),
      ("2026-11-10T00:00:00.000Z", "2026-11-10T23:59:59.999Z", false),
      ("2026-11-10T12:00:00.000Z", "2026-11-11T12:00:00.000Z", false),
      ("2026-11-10T00:00:00.001Z", "2026-11-11T23:59:59.999Z", false),
      ("2026-11-10T12:00:00.000Z", "2026-11-12T00:00:00.000Z", true),
      ("2026-11-10T12:00:00.000Z", "2026-11-13T12:00:00.000Z", true),
      ("2026-11-15T12:00:00.000Z", "2026-11-15T18:00:00.000Z", false),
      ("2026-11-08T00:00:00.000Z", "2026-11-09T00:00:00.000Z", false),
      ("2026-11-16T00:00:00.000Z", "2026-11-17T00:00:00.000Z", false),
    ])
  func wholeDay(_ off: String, _ on: String, isPaused: Bool) {
    var account = TestAccount.with(.some(1, "W", .weekly))
    account.turn(on: false, at: off)
    account.turn(on: true, at: on)
    #expect(account.judgement(of: 1, "2026-11-09") == (isPaused ? .paused : .missed))
  }

  @Test("is one in which it was deleted, until the deletion was taken back")
  func deleted() {
    var account = TestAccount.with(.some(1))
    let delete = account.record(.delete(1), at: .at("2026-11-17T12:00:00Z"))
    account.record(.undo(delete), at: .at("2026-11-19T12:00:00Z"))
    let states = account.periods(of: 1).suffix(5).map(\.state)
    #expect(states == [.missed, .paused, .paused, .paused, .pending])
  }

  @Test("may be off for one reason after the other")
  func both() {
    var account = TestAccount.with(.some(1, "W", .weekly))
    account.turn(on: false, at: "2026-11-10T12:00:00Z")
    account.turn(on: true, at: "2026-11-11T12:00:00Z")
    #expect(account.judgement(of: 1, "2026-11-09") == .missed)
    let delete = account.record(.delete(1), at: .at("2026-11-11T06:00:00Z"))
    account.record(.undo(delete), at: .at("2026-11-12T00:00:00Z"))
    #expect(account.judgement(of: 1, "2026-11-09") == .paused)
  }

  @Test("is met all the same where the count is reached")
  func met() {
    var account = TestAccount.with(.some(1))
    account.count(1, on: "2026-11-18")
    account.turn(on: false, at: "2026-11-17T12:00:00Z")
    account.turn(on: true, at: "2026-11-19T12:00:00Z")
    #expect(account.judgement(of: 1, "2026-11-18") == .met)
  }
}

@Suite("What was in force")
struct InForceTests {
  @Test(
    "just before a period's end judges it",
    arguments: [
      ("2026-11-18T23:59:59.999Z", JudgedPeriod.State.missed),
      ("2026-11-18T00:00:00.000Z", .missed),
      ("2026-11-19T00:00:00.000Z", .met), ("2026-11-02T00:00:00.000Z", .missed),
    ])
  func frequency(_ change: String, expected: JudgedPeriod.State) {
    var account = TestAccount.with(.some(1))
    account.count(1, on: "2026-11-18")
    account.record(.alter(1, [.targeting(.times(2))]), at: .at(change))
    #expect(account.judgement(of: 1, "2026-11-18") == expected)
  }

  @Test("is what was recorded last of it, though dated before")
  func override() {
    var account = TestAccount.with(.some(1))
    account.count(2, on: "2026-11-12", "2026-11-16")
    account.record(.alter(1, [.targeting(.times(3))]), at: .at("2026-11-15T12:00:00Z"))
    #expect(account.judgement(of: 1, "2026-11-16") == .missed)
    account.record(.alter(1, [.targeting(.times(2))]), at: .at("2026-11-13T12:00:00Z"))
    #expect(account.judgement(of: 1, "2026-11-16") == .met)
    #expect(
      account.periods(of: 1).map(\.frequency.value).prefix(13) == [
        1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2,
      ])
  }

  @Test("of the running period is what holds now")
  func running() {
    var account = TestAccount.with(.some(1, "M", .monthly, times: 5))
    account.count(3, on: "2026-11-18")
    #expect(account.judgement(of: 1, "2026-11-01") == .pending)
    account.record(.alter(1, [.targeting(.times(3))]))
    #expect(account.judgement(of: 1, "2026-11-01") == .met)
  }
}
