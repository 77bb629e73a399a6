import Testing

@testable import GoalsCore

@Suite("A streak that is counted on") struct StreakCountTests {
  /// A goal of one a day with a count on each of so many days up to the one before `now`.
  private static func account(days: Int) -> TestAccount {
    let now = Instant.at("2026-11-20T12:00:00Z")
    let noons = (1...days).reversed().map { now.adding(milliseconds: Int64(-86_400_000 * $0)) }
    var account = TestAccount.with(.some(1), createdAt: noons[0])
    account.now = now
    for noon in noons { account.record(.bump(1, by: .one, note: nil), at: noon) }
    return account
  }

  private static func goal(_ account: TestAccount) throws -> TrackedGoal {
    try #require(account.state.roster.goal(1))
  }

  /// The steps that a count takes, with an earlier one and without.
  private static func steps(
    _ account: TestAccount, after earlier: StreakCount
  ) throws -> (on: Int, anew: Int) {
    let goal = try goal(account)
    func count(after earlier: StreakCount?) throws -> (Streak, Int) {
      var counting = StreakCounting(
        of: goal, at: account.now, in: account.calendar, after: earlier)
      var left = 1_000_000
      let count = counting.run(&left)
      return (try #require(count).streak, 1_000_000 - left)
    }
    let (on, anew) = (try count(after: earlier), try count(after: nil))
    #expect(on.0 == anew.0)
    return (on.1, anew.1)
  }

  @Test("looks at the running period alone after a bump of today")
  func today() throws {
    var account = Self.account(days: 300)
    let first = StreakCount(of: try Self.goal(account), at: account.now, in: account.calendar)
    #expect(first.streak == Streak(current: 300, longest: 300))
    account.record(.bump(1, by: .one, note: nil))
    let steps = try Self.steps(account, after: first)
    #expect(steps.on <= 3)
    #expect(steps.anew >= 300)
  }

  @Test("looks at a few more for each day that has passed")
  func tomorrow() throws {
    var account = Self.account(days: 300)
    let first = StreakCount(of: try Self.goal(account), at: account.now, in: account.calendar)
    account.now = account.now.adding(milliseconds: 86_400_000)
    account.record(.bump(1, by: .one, note: nil))
    #expect(try Self.steps(account, after: first).on <= 4)
  }

  @Test("goes back no further than it must for a bump that comes late", arguments: [1, 2, 15, 31])
  func late(_ days: Int) throws {
    var account = Self.account(days: 300)
    let first = StreakCount(of: try Self.goal(account), at: account.now, in: account.calendar)
    account.record(
      .bump(1, by: .of(-1), note: nil),
      at: account.now.adding(milliseconds: Int64(-86_400_000 * days)))
    #expect(try Self.steps(account, after: first).on <= 96)
    #expect(try Self.steps(account, after: first).on >= days + 1)
  }

  @Test("begins anew where a calendar, an interval or the first days are others")
  func anew() throws {
    let before = Self.account(days: 100)
    let first = StreakCount(of: try Self.goal(before), at: before.now, in: before.calendar)
    let changes: [(inout TestAccount) -> Void] = [
      { $0.record(.configure(.init(dayStart: .of("03:00")))) },
      { $0.record(GoalEdit.alter(1, [.rescheduling(to: .weekly)])) },
      { account in
        account.record(
          .bump(1, by: .one, note: nil), at: account.now.adding(milliseconds: -86_400_000 * 102))
      },
    ]
    for change in changes {
      var account = before
      change(&account)
      let steps = try Self.steps(account, after: first)
      #expect(steps.on == steps.anew)
    }
  }

  @Test("looks again at an old interval's days in the week in which the new one came")
  func weekOfChange() throws {
    // 2026-11-20 is a Friday; the weekly period of the change begins on the Monday before.
    var account = Self.account(days: 10)
    account.record(GoalEdit.alter(1, [.rescheduling(to: .weekly)]))
    let first = StreakCount(of: try Self.goal(account), at: account.now, in: account.calendar)
    #expect(first.streak.longest == 10)
    account.record(.bump(1, by: .of(-1), note: nil), at: .at("2026-11-18T12:00:00Z"))
    _ = try Self.steps(account, after: first)
    #expect(account.streak(of: 1)?.longest == 8)
  }

  @Test("takes nothing for settled that a clock which was set back has yet to come to")
  func clockSetBack() throws {
    var account = Self.account(days: 10)
    for day in ["2026-11-15T12:00:00Z", "2026-11-16T12:00:00Z"] {
      account.record(.bump(1, by: .of(-1), note: nil), at: .at(day))
    }
    account.record(GoalEdit.alter(1, [.rescheduling(to: .monthly)]))
    let present = account.now
    account.now = .at("2026-11-14T12:00:00Z")
    let early = StreakCount(of: try Self.goal(account), at: account.now, in: account.calendar)
    account.now = present
    _ = try Self.steps(account, after: early)
    #expect(account.streak(of: 1)?.longest == 5)
  }

  @Test("is the one counted anew, whatever is edited and however time passes", arguments: 1...8)
  func random(_ round: UInt64) throws {
    var dice = SeededDice(seed: SeededDice.seedOfRun(round))
    let note = dice.note
    var account = Self.account(days: Int.random(in: 1...120, using: &dice))
    var counts = StreakCounts()
    for step in 0..<150 {
      Self.edit(&account, &dice)
      let goal = try Self.goal(account)
      let on = counts.streak(of: goal, at: account.now, in: account.calendar)
      let anew = goal.streak(at: account.now, in: account.calendar)
      #expect(on == anew, "round \(round), step \(step), \(note)")
      guard on == anew else { return }
    }
  }

  /// Lets some time pass, mostly forwards, and sends an edit of any time.
  private static func edit(_ account: inout TestAccount, _ dice: inout SeededDice) {
    let day: Int64 = 86_400_000
    let passing = [0, 0, 0, 3_600_000, day, day, 3 * day, 40 * day, -day / 2, -5 * day]
    account.now = account.now.adding(milliseconds: passing.randomElement(using: &dice) ?? 0)
    let back = [0, 0, 0, -300_000, day, 2 * day, 30 * day, 50 * day, 90 * day, 200 * day]
    let at = account.now.adding(milliseconds: -(back.randomElement(using: &dice) ?? 0))
    let edit: Edit =
      switch Int.random(in: 0..<20, using: &dice) {
      case 0: Edit(.setActivity(.keyed([1: true])))
      case 1: Edit(.setActivity(.keyed([1: false])))
      case 2:
        Edit(
          .alter(1, [.rescheduling(to: Interval.allCases.randomElement(using: &dice) ?? .daily)]))
      case 3: Edit(.alter(1, [.targeting(.times(Int.random(in: 1...3, using: &dice)))]))
      case 4: Edit(.skip(1))
      case 5: Edit(.configure(.init(weekStart: Weekday.allCases.randomElement(using: &dice))))
      case 6..<9: Edit(.bump(1, by: .of(-1), note: nil))
      default: Edit(.bump(1, by: .one, note: nil))
      }
    _ = account.send(edit, at: at)
  }
}
