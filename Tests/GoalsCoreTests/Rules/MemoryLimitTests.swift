import Testing

@testable import GoalsCore

@Suite("What goals remember has a maximum") struct MemoryLimitTests {
  private static let longest = AccountState.maximumTimeline
  private static let most = AccountState.maximumChanges
  private static let start = Instant.at("2020-01-01T00:00:00Z")

  /// An account whose goals, so many, remember so many entries of their activity each; the last one
  /// on.
  private static func account(goals: Int, entries: Int) -> TestAccount {
    var account = TestAccount()
    account.now = .at("2026-11-20T12:00:00Z")
    for number in 1...UInt64(goals) {
      account.record(.add(.some(ID(high: 0, low: number))), at: start)
      for turn in 1..<entries {
        account.state.alter(
          by: .setActivity([ID(high: 0, low: number): (entries - turn).isMultiple(of: 2) == false]),
          at: start.adding(milliseconds: Int64(turn)))
      }
    }
    return account
  }

  private func refused(_ verdict: Verdict) -> Bool { verdict.rejection == .limitReached }

  @Test("a goal's activity: at it a goal can be turned off and deleted, and not turned on")
  func activity() throws {
    var account = Self.account(goals: 1, entries: Self.longest - 2)
    let turn = { (isOn: Bool) in Edit(.setActivity(.keyed([1: isOn]))) }
    #expect(account.state.roster.isActive(1) == true)
    account.record(turn(false))
    account.now = account.now.adding(milliseconds: 1)
    account.record(turn(true))
    #expect(account.state.roster.goal(1)?.activity.count == Self.longest)
    account.now = account.now.adding(milliseconds: 1)
    let off = account.record(turn(false))
    account.now = account.now.adding(milliseconds: 1)
    #expect(refused(account.send(turn(true))))
    #expect(refused(account.send(Edit(.undo(off)))))
    // What overrides as much as it adds is no change more.
    #expect(account.send(turn(true), at: Self.start.adding(milliseconds: 50)).recorded != nil)
    account.record(.delete(1))
    #expect(account.state.roster.goal(1)?.activity.count ?? 0 <= Self.longest + 1)
  }

  @Test("a goal's interval and frequency, by whatever edit", arguments: [true, false])
  func fields(_ isInterval: Bool) throws {
    var account = TestAccount.with(.some(1), createdAt: Self.start)
    let change = { (number: Int) -> Goal.Changes in
      isInterval
        ? [.rescheduling(to: number.isMultiple(of: 2) ? .daily : .weekly)]
        : [.targeting(.times(1 + number % 2))]
    }
    for number in 1..<Self.longest {
      account.state.alter(
        by: .alter(1, change(number)), at: Self.start.adding(milliseconds: Int64(number)))
    }
    #expect(refused(account.send(Edit(.alter(1, change(Self.longest))))))
    let goal = try #require(account.state.roster.goal(1)?.goal)
    #expect(refused(account.send(Edit(.update(goal.alter(by: change(Self.longest)))))))
    account.record(.alter(1, [.retitling(to: .of("another"))]))
    account.record(.setActivity(.keyed([1: false])))
    account.record(.delete(1))
  }

  @Test("a goal's existence: at it a goal can be deleted, and not brought back")
  func existence() {
    var account = TestAccount.with(.some(1), createdAt: Self.start)
    for number in 1..<Self.longest {
      let effect: Effect = number.isMultiple(of: 2) ? .restore(1, before: nil) : .remove(1)
      account.state.alter(by: effect, at: Self.start.adding(milliseconds: Int64(number)))
    }
    #expect(account.state.roster.listed(1) == nil)
    account.state.alter(
      by: .restore(1, before: nil), at: Self.start.adding(milliseconds: 10_000))
    let delete = account.record(.delete(1))
    account.now = account.now.adding(milliseconds: 1)
    #expect(refused(account.send(Edit(.undo(delete)))))
  }

  @Test("all goals of an account together")
  func account() throws {
    let goals = 20
    var account = Self.account(goals: goals, entries: 1 + (Self.most - 2) / goals)
    while account.state.roster.changes < Self.most {
      let now = account.now
      account.record(.alter(1, [.targeting(.times(now.milliseconds.isMultiple(of: 2) ? 2 : 3))]))
      account.now = now.adding(milliseconds: 1)
    }
    let goal = try #require(account.state.roster.goal(1)?.goal)
    let other: Interval = goal.interval == .daily ? .weekly : .daily
    #expect(refused(account.send(Edit(.alter(1, [.rescheduling(to: other)])))))
    let active = try #require(account.state.roster.list.first(where: \.isActive)?.goal.id)
    account.record(.setActivity(.keyed([active: false])))
    account.now = account.now.adding(milliseconds: 1)
    #expect(refused(account.send(Edit(.setActivity(.keyed([active: true]))))))
    account.record(.add(.some(1000)))
    account.now = account.now.adding(milliseconds: 1)
    #expect(refused(account.send(Edit(.setActivity(.keyed([1000: true]))))))
    account.record(.delete(active))
    // Nothing is counted twice, and nothing forgotten.
    let roster = account.state.roster
    let changes = (0..<roster.everMade).compactMap { roster.goal(in: $0)?.changes }.reduce(0, +)
    #expect(roster.changes == changes)
    #expect(changes <= Self.most + 2)
  }

  @Test("is not asked of what was recorded: a fold takes everything")
  func fold() throws {
    var state = AccountState()
    state.alter(by: .insert(.some(1)), at: Self.start)
    for turn in 1...Self.longest + 100 {
      let recorded = RecordedEdit(
        version: Version(turn), id: ID(high: 1, low: UInt64(turn)),
        at: Self.start.adding(milliseconds: Int64(turn)), recordedAt: Self.start, device: "phone",
        edit: Edit(.setActivity(.keyed([1: !turn.isMultiple(of: 2)]))),
        reversal: { _ in Reversal(.setActivity([:])) })
      let edit = try #require(recorded)
      edit.transform(&state)
    }
    #expect(state.roster.goal(1)?.activity.count == Self.longest + 101)
    #expect(state.goals(at: Self.start, in: GoalCalendar()).items.count == 1)
  }
}
