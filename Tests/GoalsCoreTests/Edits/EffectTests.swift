import Testing

@testable import GoalsCore

@Suite("An effect")
struct EffectTests {
  private let instant = Instant.at("2026-11-20T12:00:00Z")
  private let today = Day.on("2026-11-20")

  /// The list 1, 2, 3, all active, and 4, which is deleted.
  private var state: AccountState {
    var account = TestAccount.with(.some(1), .some(2), .some(3), .some(4))
    account.record(.delete(4), at: .at("2026-11-19T12:00:00Z"))
    return account.state
  }

  private func after(_ effect: Effect, _ state: AccountState) -> AccountState {
    var state = state
    effect.apply(to: &state, at: instant)
    return state
  }

  @Test("on a goal that never was does nothing")
  func missing() {
    let effects: [Effect] = [
      .remove(9), .restore(9, before: 1), .alter(9, [.retitling(to: .of("X"))]), .turn([9: true]),
      .place(9, before: 1), .count(9, on: today, by: 1, note: .of("x"), bump: Version(1)),
      .excuse(9, on: today, true),
    ]
    for effect in effects {
      #expect(after(effect, state) == state, "\(effect)")
      #expect(Set(effect.goals) == [9])
    }
  }

  @Test("that inserts a goal leaves one with its id alone")
  func inserting() {
    let other = Goal.some(1, "Other")
    #expect(after(.insert(other), state) == state)
    #expect(Effect.insert(other).changesNothing(in: state))
    #expect(after(.insert(.some(5)), state).roster.ids == [5, 1, 2, 3])
  }

  @Test("that restores a goal brings it back as it was")
  func restoring() throws {
    let restored = after(.restore(4, before: 2), state)
    #expect(restored.roster.ids == [1, 4, 2, 3])
    let goal = try #require(restored.roster.listed(4))
    #expect(goal.isActive)
    #expect(goal.existence.currentSince == instant)
    #expect(after(.restore(4, before: nil), state).roster.ids == [1, 2, 3, 4])
    #expect(after(.restore(4, before: 9), state).roster.ids == [1, 2, 3, 4])
  }

  @Test("that counts keeps the note of its bump, and takes it away again")
  func counting() throws {
    let counted = after(
      .count(1, on: today, by: 2, note: .of("x"), bump: Version(9)), state)
    #expect(counted.roster.goal(1)?.notes.all.map(\.version.number) == [9])
    let back = after(.count(1, on: today, by: -2, note: nil, bump: Version(9)), counted)
    #expect(back == state)
  }

  @Test("that configures changes only what is named")
  func configuring() {
    let changed = after(.configure(.init(dayStart: .of("03:00"))), state).calendar
    #expect(
      changed == CalendarSettings(timeZone: .utc, weekStart: .monday, dayStart: .of("03:00")))
  }

  @Test("says when it would change nothing")
  func nothing() {
    let nothing: [Effect] = [
      .insert(.some(4)), .remove(4), .remove(9), .restore(1, before: nil), .alter(1, []),
      .alter(1, [.retitling(to: .of("Goal"))]), .alter(9, [.retitling(to: .of("X"))]), .turn([:]),
      .turn([1: true]), .turn([4: false]), .place(1, before: 2), .place(3, before: nil),
      .place(1, before: 1), .excuse(1, on: today, false), .configure(.init(weekStart: .monday)),
    ]
    for effect in nothing { #expect(effect.changesNothing(in: state), "\(effect)") }
    let something: [Effect] = [
      .insert(.some(5)), .remove(1), .restore(4, before: nil),
      .alter(1, [.retitling(to: .of("X"))]), .turn([1: true, 2: false]), .place(1, before: 3),
      .place(1, before: nil), .count(1, on: today, by: 1, note: nil, bump: Version(9)),
      .excuse(1, on: today, true), .configure(.init(weekStart: .sunday)),
    ]
    for effect in something { #expect(!effect.changesNothing(in: state), "\(effect)") }
  }
}

@Suite("What takes an effect back")
struct ReversalTests {
  private let now = Instant.at("2026-11-20T12:00:00Z")

  @Test("gives every present value back, and so does what takes that back")
  func roundTrip() {
    var random = RandomAccount()
    for _ in 0..<2000 {
      let before = random.account.state
      guard let effect = random.step().recorded?.effect else { continue }
      expectRoundTrip(effect, in: before, random.dice.note)
    }
  }

  private func expectRoundTrip(_ effect: Effect, in before: AccountState, _ note: Comment) {
    let reversal = effect.reversal(in: before)
    var state = before
    effect.apply(to: &state, at: now)
    let after = PresentValues(state)
    #expect(reversal.standing?.changesNothing(in: state) != false, note)
    let again = reversal.effect.reversal(in: state)
    reversal.effect.apply(to: &state, at: now)
    if case .insert(let goal) = effect {
      // What was made is only taken out of the list: its id stays in use.
      #expect(state.roster.goal(goal.id)?.isDeleted == true, note)
      #expect(state.roster.ids == before.roster.ids, note)
    } else {
      #expect(PresentValues(state) == PresentValues(before), note)
    }
    #expect(again.standing?.changesNothing(in: state) != false, note)
    again.effect.apply(to: &state, at: now)
    #expect(PresentValues(state) == after, note)
  }

  @Test("of several turned goals speaks only of those that it turned")
  func turning() {
    let state = TestAccount.with(.some(1), .some(2)).state
    let reversal = Effect.turn([1: true, 2: false]).reversal(in: state)
    #expect(reversal.effect == .turn([2: true]))
    #expect(reversal.standing == .turn([2: false]))
  }

  @Test("of an update speaks only of the fields that it changed")
  func altering() {
    let state = TestAccount.with(.some(1, "Yoga", times: 5)).state
    let effect = Effect.alter(1, Goal.some(1, "Yoga", .weekly, times: 6).asChanges)
    let reversal = effect.reversal(in: state)
    #expect(reversal.effect == .alter(1, [.rescheduling(to: .daily), .targeting(.times(5))]))
    #expect(reversal.standing == .alter(1, [.rescheduling(to: .weekly), .targeting(.times(6))]))
  }

  @Test("of a configuration speaks only of the settings that it changed")
  func configuring() {
    let effect = Effect.configure(.init(weekStart: .monday, dayStart: .of("03:00")))
    let reversal = effect.reversal(in: AccountState())
    #expect(reversal.effect == .configure(.init(dayStart: .midnight)))
    #expect(reversal.standing == .configure(.init(dayStart: .of("03:00"))))
  }

  @Test("of a deletion knows the old successor")
  func deleting() {
    let state = TestAccount.with(.some(1), .some(2), .some(3)).state
    #expect(Effect.remove(1).reversal(in: state) == Reversal(.restore(1, before: 2)))
    #expect(Effect.remove(3).reversal(in: state) == Reversal(.restore(3, before: nil)))
  }
}
