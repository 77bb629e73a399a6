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
    state.alter(by: effect, at: instant)
    return state
  }

  @Test("on a goal that never was does nothing")
  func missing() {
    let effects: [Effect] = [
      .remove(9), .restore(9, before: 1), .alter(9, [.retitling(to: .of("X"))]),
      .setActivity([9: true]),
      .move(9, before: 1), .count(9, on: today, by: 1, note: .of("x"), bump: Version(1)),
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

  @Test("says when it would change nothing")
  func nothing() {
    let nothing: [Effect] = [
      .insert(.some(4)), .remove(4), .remove(9), .restore(1, before: nil), .alter(1, []),
      .alter(1, [.retitling(to: .of("Goal"))]), .alter(9, [.retitling(to: .of("X"))]),
      .setActivity([:]),
      .setActivity([1: true]), .setActivity([4: false]), .move(1, before: 2), .move(3, before: nil),
      .move(1, before: 1), .excuse(1, on: today, false), .configure(.init(weekStart: .monday)),
    ]
    for effect in nothing { #expect(effect.changesNothing(in: state), "\(effect)") }
    let something: [Effect] = [
      .insert(.some(5)), .remove(1), .restore(4, before: nil),
      .alter(1, [.retitling(to: .of("X"))]), .setActivity([1: true, 2: false]), .move(1, before: 3),
      .move(1, before: nil), .count(1, on: today, by: 1, note: nil, bump: Version(9)),
      .excuse(1, on: today, true), .configure(.init(weekStart: .sunday)),
    ]
    for effect in something { #expect(!effect.changesNothing(in: state), "\(effect)") }
  }
}
