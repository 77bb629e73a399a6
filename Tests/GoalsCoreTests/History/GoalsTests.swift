import Testing

@testable import GoalsCore

@Suite("The list of goals")
struct GoalsTests {
  @Test("has the version and the order of the state")
  func order() {
    let account = TestAccount.with(.some(1), .some(2), .some(3))
    let goals = account.state.goals(at: account.now, in: account.calendar)
    #expect(goals.version == Version(4))
    #expect(goals.entries.map(\.goal.id) == [1, 2, 3])
  }

  @Test("has no deleted goals")
  func deleted() {
    var account = TestAccount.with(.some(1), .some(2))
    account.record(.delete(1))
    #expect(
      account.state.goals(at: account.now, in: account.calendar).entries.map(\.goal.id) == [2])
  }

  @Test("says how far each has come in the running period")
  func progress() {
    var account = TestAccount.with(.some(1), .some(2, "W", .weekly))
    for id: Goal.ID in [1, 2] { account.count(2, id, on: "2026-11-18", "2026-11-20") }
    #expect(
      account.entry(1)?.progress == .active(count: 2, in: .from("2026-11-20", to: "2026-11-21")))
    #expect(
      account.entry(2)?.progress == .active(count: 4, in: .from("2026-11-16", to: "2026-11-23")))
  }

  @Test("says nothing of progress while a goal is off")
  func inactive() {
    var account = TestAccount.with(.some(1))
    account.turn(on: false, at: "2026-11-20T12:00:00Z")
    #expect(account.entry(1)?.progress == .inactive)
    #expect(account.entry(1)?.progress.isActive == false)
    account.turn(on: true, at: "2026-11-20T12:00:00Z")
    #expect(account.entry(1)?.progress.isActive == true)
  }

  @Test("follows the account's day start and week start")
  func calendar() {
    var account = TestAccount.with(.some(1), .some(2, "W", .weekly))
    account.record(.configure(.init(weekStart: .sunday, dayStart: .of("12:00"))))
    account.now = .at("2026-11-20T11:59:59.999Z")
    #expect(
      account.entry(1)?.progress == .active(count: 0, in: .from("2026-11-19", to: "2026-11-20")))
    #expect(
      account.entry(2)?.progress == .active(count: 0, in: .from("2026-11-15", to: "2026-11-22")))
    account.now = .at("2026-11-20T12:00:00.000Z")
    #expect(
      account.entry(1)?.progress == .active(count: 0, in: .from("2026-11-20", to: "2026-11-21")))
  }
}

@Suite("Until when the list reads so")
struct ValidityTests {
  private func validUntil(_ account: TestAccount) -> Instant? {
    account.state.goals(at: account.now, in: account.calendar).validUntil
  }

  @Test("is the first end of a running period")
  func first() {
    var account = TestAccount.with(.some(1, "M", .monthly), .some(2, "W", .weekly))
    #expect(validUntil(account) == .at("2026-11-23T00:00:00Z"))
    account.record(.alter(1, [.rescheduling(to: .daily)]))
    #expect(validUntil(account) == .at("2026-11-21T00:00:00Z"))
  }

  @Test("is for ever where no goal is active")
  func never() {
    var account = TestAccount.with(.some(1))
    account.turn(on: false, at: "2026-11-19T12:00:00Z")
    #expect(validUntil(account) == nil)
    #expect(validUntil(TestAccount()) == nil)
  }

  @Test("is the end of a day that starts later than midnight")
  func dayStart() {
    var account = TestAccount.with(.some(1))
    account.record(.configure(.init(dayStart: .of("03:00"))))
    #expect(validUntil(account) == .at("2026-11-21T03:00:00Z"))
  }

  @Test("is the day's end for a goal that a fast clock turns off tomorrow")
  func futureOff() {
    var account = TestAccount.with(.some(1))
    account.count(1, on: "2026-11-18", "2026-11-19")
    account.now = .at("2026-11-20T23:58:00Z")
    account.turn(on: false, at: "2026-11-21T00:01:00Z")
    #expect(account.entry(1)?.streak.current == 2)
    #expect(account.entry(1, at: .at("2026-11-21T00:00:00Z"))?.streak.current == 0)
    #expect(validUntil(account) == .at("2026-11-21T00:00:00Z"))
  }

  @Test("is so: nothing reads differently before, whatever was recorded")
  func random() {
    var dice = TimeDice()
    for _ in 0..<20 {
      var random = RandomAccount(dice: dice)
      for _ in 0..<20 {
        for _ in 0..<Int.random(in: 1...3, using: &random.dice) { _ = random.step() }
        expectValid(&random)
      }
      dice = random.dice
    }
  }

  private func expectValid(_ random: inout RandomAccount) {
    let account = random.account
    let calendar = account.calendar
    let goals = account.state.goals(at: account.now, in: calendar)
    let day: Int64 = 86_400_000
    let end = goals.validUntil ?? account.now.adding(milliseconds: 40 * day)
    #expect(end > account.now, random.dice.note)
    let last = Instant(milliseconds: end.milliseconds - 1)
    let between = account.now.milliseconds..<end.milliseconds
    let instants = (0..<3).map { _ in
      Instant(milliseconds: .random(in: between, using: &random.dice))
    }
    for instant in instants + [last] {
      let later = account.state.goals(at: instant, in: calendar)
      #expect(
        later.entries == goals.entries, "from \(account.now) to \(instant). \(random.dice.note)")
    }
  }
}
