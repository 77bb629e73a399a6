import Testing

@testable import GoalsCore

@Suite("Any sequence of edits")
struct EditSequenceTests {
  static let accounts = 40
  static let edits = 500

  @Test("keeps every rule, edit by edit, and as a whole")
  func rules() {
    var dice = TimeDice()
    var verdicts: [String: Int] = [:]
    for _ in 0..<Self.accounts {
      var random = RandomAccount(dice: dice)
      for _ in 0..<Self.edits {
        let before = random.account
        let verdict = random.step()
        verdicts[verdict.name, default: 0] += 1
        check(verdict, on: random, before: before)
      }
      checkLog(of: random)
      dice = random.dice
    }
    // A sequence in which a verdict never occurs would say nothing about it.
    let rare = [
      "record", "duplicate", "unchanged", "unknown-goal", "goal-exists", "inactive-goal",
      "below-zero", "in-future", "too-old", "activity-mismatch", "id-conflict", "not-undoable",
      "unknown-time-zone",
    ]
    for name in rare { #expect(verdicts[name, default: 0] > 20, "\(name): \(verdicts)") }
  }

  private func check(_ verdict: Verdict, on random: RandomAccount, before: TestAccount) {
    let account = random.account
    let circumstances = Circumstances(
      now: account.now, zones: account.zones, recorded: before.recorded)
    let note = random.dice.note
    #expect(
      before.state.judge(random.proposed, from: "phone", by: circumstances) == verdict, note)
    switch verdict {
    case .record(let edit):
      checkRecorded(edit, of: random, before: before)
    case .unchanged:
      checkUnchanged(random.proposed, in: before.state, at: account.now, note)
      #expect(account.state == before.state, note)
    case .duplicate(let edit):
      #expect(account.log.contains(edit), note)
      #expect(account.state == before.state, note)
    case .reject:
      #expect(account.state == before.state, note)
    }
  }

  private func checkRecorded(
    _ edit: RecordedEdit, of random: RandomAccount, before: TestAccount
  ) {
    let after = random.account
    let note = random.dice.note
    #expect(edit.version == before.state.version.next, note)
    #expect(edit.version == after.state.version, note)
    #expect(edit.recordedAt >= before.state.recordedAt ?? edit.recordedAt, note)
    #expect(edit.recordedAt >= after.now, note)
    #expect(edit.transform(before.state) == after.state, note)
    if edit.undone == nil {
      #expect(PresentValues(before.state) != PresentValues(after.state), note)
    }
    // Sent again, with or without what was filled in, it is the same edit.
    for at in [nil, edit.at] {
      let again = ProposedEdit(id: edit.id, at: at, edit: random.proposed.edit)
      let asRead = ProposedEdit(id: edit.id, at: at, edit: edit.edit)
      let circumstances = Circumstances(
        now: after.now, zones: after.zones, recorded: after.recorded)
      #expect(after.state.judge(again, from: "laptop", by: circumstances) == .duplicate(edit), note)
      #expect(
        after.state.judge(asRead, from: "laptop", by: circumstances) == .duplicate(edit), note)
    }
  }

  /// What is said to change nothing changes nothing when it is done all the same.
  private func checkUnchanged(
    _ proposed: ProposedEdit, in state: AccountState, at now: Instant, _ note: Comment
  ) {
    var edit = proposed.edit
    switch edit {
    case .progress, .account(.undo):
      // A skip in an excused period would excuse one more day of it; the others always change.
      #expect(edit.type == .skip, note)
      return
    case .goal(.setActivity(.listed(let values))):
      let entries = zip(state.roster.ids, values).map {
        KeyedActivity.Entry(goal: $0, isActive: $1)
      }
      edit = Edit(.setActivity(.keyed(KeyedActivity(entries))))
    case .goal, .account: break
    }
    var after = state
    Effect(of: edit, on: nil, version: state.version.next, undone: nil).apply(to: &after, at: now)
    #expect(PresentValues(after) == PresentValues(state), note)
  }

  private func checkLog(of random: RandomAccount) {
    let account = random.account
    let note = random.dice.note
    #expect(account.log.map(\.version.number) == Array(1...account.log.count), note)
    let folded = account.log.reduce(AccountState()) { $1.transform($0) }
    #expect(folded == account.state, note)
    checkStoredForm(of: account.state, note)
    let standing = StandingEdits(account.log)
    let goals = (0..<account.state.roster.everMade).compactMap { account.state.roster.goal(in: $0) }
    for goal in goals {
      let entries = goal.days.all
      #expect(entries.allSatisfy { $0.count >= 0 }, note)
      let counts = entries.filter { $0.count > 0 }.map { ($0.day, $0.count) }
      #expect(
        Dictionary(uniqueKeysWithValues: counts) == standing.counts[goal.goal.id] ?? [:], note)
      #expect(
        Set(entries.filter(\.isExcused).map(\.day)) == standing.excused[goal.goal.id] ?? [], note)
      #expect(goal.notes.map(\.version) == standing.notes[goal.goal.id] ?? [], note)
      let periods = goal.periods(until: account.now, in: account.calendar)
      #expect(
        goal.streak(at: account.now, in: account.calendar) == Streak(of: periods), note)
    }
    #expect(Set(account.state.roster.ids) == standing.listed, note)
  }

  /// A state is the same after it was taken apart and put together again, as a store does.
  private func checkStoredForm(of state: AccountState, _ note: Comment) {
    let goals = (0..<state.roster.everMade).compactMap { state.roster.goal(in: $0) }.map { goal in
      TrackedGoal(
        id: goal.goal.id, title: goal.goal.title, colour: goal.goal.colour, unit: goal.goal.unit,
        intervals: Timeline(goal.intervals.entries) ?? goal.intervals,
        frequencies: Timeline(goal.frequencies.entries) ?? goal.frequencies,
        activity: Timeline(goal.activity.entries) ?? goal.activity,
        existence: Timeline(goal.existence.entries) ?? goal.existence,
        days: DayCounts(goal.days.all), notes: goal.notes)
    }
    let roster = Roster(goals: goals, order: state.roster.order)
    #expect(roster == state.roster, note)
  }
}

extension Verdict {
  fileprivate var name: String {
    switch self {
    case .record: "record"
    case .duplicate: "duplicate"
    case .unchanged: "unchanged"
    case .reject(let rejection): rejection.code.rawValue
    }
  }
}
