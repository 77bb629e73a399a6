import Testing

@testable import GoalsCore

/// Axioms of edits and of the states they lead to, each tried on accounts to which anything may
/// have happened. docs/laws.md lists them.
@Suite("Whatever was edited")
struct EditLawTests {
  @Test("an edit is taken back by its undo, and done again by that one's, to and fro")
  func undo() {
    RandomAccount.each(of: 10, after: 20) { random in
      for _ in 0..<60 {
        let before = PresentValues(random.account.state)
        guard let edit = random.step().recorded else { continue }
        let (note, after) = (random.dice.note, PresentValues(random.account.state))
        #expect(after != before, note)
        var account = random.account
        var target = edit
        let alone = account.state.judge(
          ProposedEdit(id: 0, edit: Edit(.undo(edit.id))), from: "phone",
          by: Circumstances(
            now: account.now, zones: account.zones, recorded: RecordedEdits([edit])))
        #expect(alone.recorded?.undone?.effect == edit.reversal.effect, note)
        for expected in [before, after, before, after] {
          let verdict = account.send(Edit(.undo(target.id)))
          guard let undo = verdict.recorded else {
            Issue.record("\(target.edit.type): \(verdict). \(note)")
            return
          }
          #expect(undo.root == edit.root, note)
          expect(account.state, shows: expected, but: edit, note)
          target = undo
        }
      }
    }
  }

  /// A goal that was made is only taken out of the list: its id stays in use.
  private func expect(
    _ state: AccountState, shows expected: PresentValues, but edit: RecordedEdit, _ note: Comment
  ) {
    let shown = PresentValues(state)
    #expect(shown.listed == expected.listed, "\(edit.edit.type). \(note)")
    #expect(shown.calendar == expected.calendar, "\(edit.edit.type). \(note)")
  }

  @Test("an edit that is sent again is a duplicate of the one that was recorded")
  func duplicate() {
    RandomAccount.each(after: 100) { random in
      for edit in random.account.log {
        for (at, day) in [(nil, nil), (edit.at, nil), (nil, edit.day), (edit.at, edit.day)] {
          let again = ProposedEdit(id: edit.id, at: at, day: day, edit: edit.edit)
          let verdict = random.account.state.judge(
            again, from: "other", by: random.circumstances)
          #expect(verdict == .duplicate(edit), random.dice.note)
        }
        let later = edit.at.adding(milliseconds: 1)
        var others = [ProposedEdit(id: edit.id, at: later, edit: edit.edit)]
        if let next = edit.day?.adding(days: 1) {
          others.append(ProposedEdit(id: edit.id, at: edit.at, day: next, edit: edit.edit))
        }
        for other in others {
          let verdict = random.account.state.judge(other, from: "phone", by: random.circumstances)
          #expect(verdict.rejection == .idConflict, random.dice.note)
        }
      }
    }
  }

  @Test("a bump or skip counts on the day it names, a day from that of its instant at most")
  func day() {
    var named = 0
    RandomAccount.each(of: 200, after: 0) { random in
      for _ in 0..<100 {
        let calendar = random.account.calendar
        let verdict = random.step()
        guard let edit = verdict.recorded, let day = edit.day else { continue }
        let own = calendar.day(of: edit.at)
        #expect(day == random.proposed.day ?? own, random.dice.note)
        #expect(abs(day.days(since: own)) <= 1 && calendar.exists(day), random.dice.note)
        named += random.proposed.day == nil ? 0 : 1
      }
    }
    #expect(named > 20 || SeededDice.fixedSeed != nil, "\(named) named their day")
  }

  @Test("a batch that records nothing leaves the state, and what is known of the log, as they were")
  func rejected() {
    var withdrawn = 0
    RandomAccount.each { random in
      for _ in 0..<20 {
        let batch = random.batch()
        var (state, circumstances) = (random.account.state, random.circumstances)
        let ruling = state.record(batch, chain: nil, by: &circumstances)
        #expect(ruling.state == state, random.dice.note)
        guard ruling.recorded.isEmpty else { continue }
        withdrawn += 1
        #expect(state == random.account.state, random.dice.note)
        #expect(circumstances.recorded == random.account.recorded, random.dice.note)
      }
    }
    #expect(withdrawn > 50 || SeededDice.fixedSeed != nil)
  }

  @Test("a log folds to the state that it led to, in any portions, through states that were stored")
  func fold() throws {
    try RandomAccount.each(after: 150) { random in
      var state = AccountState()
      var rest = random.account.log[...]
      while !rest.isEmpty {
        let portion = rest.prefix(random.dice.number(in: 0...10))
        rest = rest.dropFirst(portion.count)
        state = portion.reduce(state) { $1.transform($0) }
        let goals = (0..<state.roster.everMade).compactMap { state.roster.goal(in: $0) }
        let roster = try #require(Roster(goals: goals, order: state.roster.order))
        state = AccountState(
          version: state.version, recordedAt: state.recordedAt, calendar: state.calendar,
          roster: roster)
      }
      #expect(state == random.account.state, random.dice.note)
    }
  }

  @Test("edits of different goals commute, where none of them moves a goal")
  func commuting() {
    var pairs = 0
    RandomAccount.each { random in
      let effects = (0..<40).compactMap { _ in random.verdict().recorded?.effect }
        .filter { !$0.goals.isEmpty }
      for (one, other) in effects.flatMap({ one in effects.map { (one, $0) } }) {
        guard !one.reorders, !other.reorders, Set(one.goals).isDisjoint(with: other.goals) else {
          continue
        }
        pairs += 1
        var (first, second) = (random.account.state, random.account.state)
        first.alter(by: one, other, at: random.account.now)
        second.alter(by: other, one, at: random.account.now)
        #expect(first == second, "\(one), \(other). \(random.dice.note)")
      }
    }
    #expect(pairs > 50 || SeededDice.fixedSeed != nil)
  }

  @Test("an edit is recorded where it changes a present value, and only there")
  func changing() {
    RandomAccount.each(after: 0) { random in
      for _ in 0..<80 {
        let before = random.account.state
        let recorded = random.step().recorded
        let isChanged = PresentValues(random.account.state) != PresentValues(before)
        #expect((recorded != nil) == isChanged, random.dice.note)
        if let effect = recorded?.effect {
          #expect(!effect.changesNothing(in: before), "\(effect). \(random.dice.note)")
        }
      }
    }
  }
}

extension Effect {
  /// Whether it speaks of places in the list.
  fileprivate var reorders: Bool {
    switch self {
    case .insert, .remove, .restore, .move: true
    case .alter, .setActivity, .count, .excuse, .configure: false
    }
  }
}
