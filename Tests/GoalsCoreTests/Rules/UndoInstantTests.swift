import Testing

@testable import GoalsCore

/// Every day from the first to the twelfth of November is over; today is the thirteenth.
@Suite("An undo holds from its own `at`")
struct UndoInstantTests {
  private let account = TestAccount.living(now: "2026-11-13T12:00:00Z", with: .some(1))

  /// The frequency by which each day is judged, one digit a day.
  private func frequencies(_ account: TestAccount) -> String {
    account.periods(of: 1).map { String($0.frequency.value) }.joined()
  }

  /// How each day is judged: met, skipped, missed, paused, or not over.
  private func states(_ account: TestAccount) -> String {
    let letters: [JudgedPeriod.State: String] = [
      .met: "m", .skipped: "s", .missed: "x", .paused: "p", .pending: ".",
    ]
    return account.periods(of: 1).compactMap { letters[$0.state] }.joined()
  }

  @Test(
    "so what was judged by then stays judged, and redo holds from its own too",
    arguments: [
      (["2026-11-04T12:00:00Z"], "1113333333333"),
      (["2026-11-04T12:00:00Z", "2026-11-08T12:00:00Z"], "1113333111111"),
      (
        ["2026-11-04T12:00:00Z", "2026-11-08T12:00:00Z", "2026-11-11T12:00:00Z"],
        "1113333111333"
      ),
      // Dated before what it takes back: that never held.
      (["2026-11-04T12:00:00Z", "2026-11-02T12:00:00Z"], "1111111111111"),
      (
        ["2026-11-04T12:00:00Z", "2026-11-08T12:00:00Z", "2026-11-02T12:00:00Z"],
        "1333333333333"
      ),
    ] as [([String], String)])
  func frequency(_ instants: [String], expected: String) {
    var account = account
    var target: Edit.ID?
    for instant in instants {
      let edit = target.map { Edit(.undo($0)) } ?? Edit(.alter(1, [.targeting(.times(3))]))
      target = account.record(edit, at: .at(instant))
    }
    #expect(frequencies(account) == expected)
  }

  @Test("so an interval that was changed and changed back has had its periods")
  func interval() {
    var account = account
    let alter = account.record(
      .alter(1, [.rescheduling(to: .weekly)]), at: .at("2026-11-04T12:00:00Z"))
    account.record(.undo(alter), at: .at("2026-11-11T12:00:00Z"))
    #expect(
      account.history() == [
        "2026-11-01 missed 0/1", "2026-11-02 missed 0/1", "2026-11-03 missed 0/1",
        "2026-11-02 missed 0/1", "2026-11-11 missed 0/1", "2026-11-12 missed 0/1",
        "2026-11-13 pending 0/1",
      ])
  }

  @Test("so a goal that was off in between was paused")
  func activity() {
    var account = account
    let turn = account.record(.setActivity(.keyed([1: false])), at: .at("2026-11-04T12:00:00Z"))
    account.record(.undo(turn), at: .at("2026-11-08T12:00:00Z"))
    #expect(states(account) == "xxxpppppxxxx.")
  }

  @Test("so the days between a delete and its undo count as not existing, though counts were kept")
  func delete() {
    var account = account
    account.count(1, on: "2026-11-02", "2026-11-06", "2026-11-12")
    let delete = account.record(.delete(1), at: .at("2026-11-04T12:00:00Z"))
    let undo = account.record(.undo(delete), at: .at("2026-11-08T12:00:00Z"))
    #expect(states(account) == "xmxppmppxxxm.")
    account.record(.undo(undo), at: .at("2026-11-10T12:00:00Z"))
    #expect(states(account) == "xmxppmppxppm.")
  }

  @Test("so the days between the undo of an add and its redo do too")
  func add() {
    var account = TestAccount.living(now: "2026-11-13T12:00:00Z")
    let add = account.record(.add(.some(1)), at: .at("2026-11-01T00:00:00Z"))
    account.turn(on: true, at: "2026-11-01T00:00:00Z")
    let undo = account.record(.undo(add), at: .at("2026-11-04T12:00:00Z"))
    #expect(states(account) == "xxxppppppppp.")
    account.record(.undo(undo), at: .at("2026-11-08T12:00:00Z"))
    #expect(states(account) == "xxxpppppxxxx.")
  }

  @Test("but counts and excuses belong to their days, whenever they are taken back")
  func counts() {
    var account = account
    let bump = account.record(.bump(1, by: .one, note: nil), at: .at("2026-11-04T12:00:00Z"))
    let skip = account.record(.skip(1), at: .at("2026-11-06T12:00:00Z"))
    #expect(states(account) == "xxxmxsxxxxxx.")
    let undo = account.record(.undo(bump), at: .at("2026-11-12T12:00:00Z"))
    account.record(.undo(skip), at: .at("2026-11-12T12:00:00Z"))
    #expect(states(account) == "xxxxxxxxxxxx.")
    account.record(.undo(undo), at: .at("2026-11-13T12:00:00Z"))
    #expect(states(account) == "xxxmxxxxxxxx.")
    #expect(account.log.suffix(3).allSatisfy { $0.day == nil })
  }

  @Test("but periods are cut by the calendar that it brings back, the past ones too")
  func calendar() {
    var account = TestAccount.living(with: .some(1, "Goal", .weekly))
    let configure = account.record(.configure(.init(weekStart: .sunday)))
    account.bump(at: "2026-11-15T12:00:00Z")
    #expect(
      account.history(from: "2026-11-08").map { $0.prefix(14) } == [
        "2026-11-08 mis", "2026-11-15 met",
      ])
    account.record(.undo(configure))
    #expect(
      account.history(from: "2026-11-08").map { $0.prefix(14) } == [
        "2026-11-09 met", "2026-11-16 pen",
      ])
  }

  @Test("so it cannot be dated long ago, or ahead of the server")
  func bounds() {
    var account = account
    let bump = account.record(.bump(1, by: .one, note: nil))
    let undo = Edit(.undo(bump))
    #expect(account.send(undo, at: .at("1999-12-31T23:59:59.999Z")).rejection == .tooOld)
    #expect(account.send(undo, at: .at("2026-11-13T12:05:00.001Z")).rejection == .inFuture)
    #expect(account.send(undo, at: .at("2026-11-13T12:05:00Z")).recorded != nil)
  }
}
