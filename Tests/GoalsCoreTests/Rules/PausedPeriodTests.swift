import Testing

@testable import GoalsCore

/// From when to when a goal was off (or until today, where that is nil), and whether that pauses
/// the period in question.
private typealias Absence = (off: String, on: String?, isPaused: Bool)

/// Today is Friday, the twentieth of November; a week begins on the ninth.
@Suite("A paused period")
struct PausedPeriodTests {
  private static let ofEighteenth: [Absence] = [
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
    ("2026-11-18T23:59:59.999Z", nil, true),
    ("2026-11-19T00:00:00.000Z", nil, false),
  ]

  @Test("is one at whose start or end the goal was off", arguments: ofEighteenth)
  private func startAndEnd(_ absence: Absence) {
    expect(absence, of: .living(with: .some(1)), from: "2026-11-18")
  }

  private static let ofTheWeek: [Absence] = [
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
  ]

  @Test("is one for a whole day of which the goal was off", arguments: ofTheWeek)
  private func wholeDay(_ absence: Absence) {
    expect(absence, of: .living(with: .some(1, "Goal", .weekly)), from: "2026-11-09")
  }

  private static let ofOctober: [Absence] = [
    ("2026-10-14T00:00:00.000Z", "2026-10-15T00:00:00.000Z", true),
    ("2026-10-14T00:00:00.001Z", "2026-10-15T23:59:59.999Z", false),
    ("2026-10-01T00:00:00.000Z", "2026-10-01T00:00:00.001Z", true),
    ("2026-10-31T23:59:59.999Z", "2026-11-01T00:00:00.000Z", true),
  ]

  @Test("of a month is one likewise", arguments: ofOctober)
  private func month(_ absence: Absence) {
    let account = TestAccount.living(
      since: "2026-09-01T00:00:00Z", with: .some(1, "Goal", .monthly))
    expect(absence, of: account, from: "2026-10-01")
  }

  /// A night owl's Saturday in Berlin had 25 hours from 01:00 UTC: the clocks were put back.
  private static let ofTheLongDay: [Absence] = [
    ("2026-10-24T01:00:00.000Z", "2026-10-25T02:00:00.000Z", true),
    ("2026-10-24T01:00:00.000Z", "2026-10-25T01:59:59.999Z", false),
    ("2026-10-24T01:00:00.001Z", "2026-10-25T02:00:00.000Z", false),
    ("2026-10-24T01:00:00.000Z", "2026-10-25T01:00:00.000Z", false),
  ]

  @Test("has a whole day that is longer than others", arguments: ofTheLongDay)
  private func longDay(_ absence: Absence) {
    let account = TestAccount.living(
      in: "Europe/Berlin", dayStart: "03:00", since: "2026-10-01T00:00:00Z",
      with: .some(1, "Goal", .weekly))
    expect(absence, of: account, from: "2026-10-19")
  }

  /// One in Los Angeles had 23 hours from 11:00 UTC.
  private static let ofTheShortDay: [Absence] = [
    ("2026-03-07T11:00:00.000Z", "2026-03-08T10:00:00.000Z", true),
    ("2026-03-07T11:00:00.000Z", "2026-03-08T09:59:59.999Z", false),
    ("2026-03-07T11:00:00.001Z", "2026-03-08T10:00:00.000Z", false),
  ]

  @Test("has a whole day that is shorter than others", arguments: ofTheShortDay)
  private func shortDay(_ absence: Absence) {
    let account = TestAccount.living(
      in: "America/Los_Angeles", dayStart: "03:00", since: "2026-01-01T00:00:00Z",
      with: .some(1, "Goal", .weekly))
    expect(absence, of: account, from: "2026-03-02")
  }

  /// The thirtieth never was: the twenty-ninth ended at 10:00 UTC, when the thirty-first began.
  private static let aroundTheMissingDay: [Absence] = [
    ("2011-12-30T09:59:59.999Z", "2011-12-30T10:00:00.001Z", false),
    ("2011-12-29T10:00:00.001Z", "2011-12-31T09:59:59.999Z", false),
    ("2011-12-29T10:00:00.000Z", "2011-12-30T10:00:00.000Z", true),
    ("2011-12-30T10:00:00.000Z", "2011-12-31T10:00:00.000Z", true),
  ]

  @Test("is not one for a day that never was", arguments: aroundTheMissingDay)
  private func missingDay(_ absence: Absence) {
    let account = TestAccount.living(
      in: "Pacific/Apia", since: "2011-11-01T00:00:00Z", now: "2012-01-20T00:00:00Z",
      with: .some(1, "Goal", .monthly))
    expect((absence.off, absence.on, absence.isPaused), of: account, from: "2011-12-01")
  }

  private func expect(_ absence: Absence, of account: TestAccount, from start: String) {
    var account = account
    account.turn(on: false, at: absence.off)
    if let on = absence.on { account.turn(on: true, at: on) }
    #expect(account.judgement(of: 1, start) == (absence.isPaused ? .paused : .missed))
  }

  @Test("has a day of which one half the goal was off, and the other half deleted")
  func both() {
    var account = TestAccount.living(with: .some(1, "Goal", .weekly))
    account.turn(on: false, at: "2026-11-10T12:00:00Z")
    account.turn(on: true, at: "2026-11-11T12:00:00Z")
    #expect(account.judgement(of: 1, "2026-11-09") == .missed)
    let delete = account.record(.delete(1), at: .at("2026-11-11T06:00:00Z"))
    account.record(.undo(delete), at: .at("2026-11-12T00:00:00Z"))
    #expect(account.judgement(of: 1, "2026-11-09") == .paused)
  }

  @Test("has no day of which the goal was off in the morning and in the evening")
  func twice() {
    var account = TestAccount.living(with: .some(1, "Goal", .weekly))
    account.turn(on: false, at: "2026-11-10T00:00:00Z")
    account.turn(on: true, at: "2026-11-10T12:00:00.000Z")
    account.turn(on: false, at: "2026-11-10T12:00:00.001Z")
    account.turn(on: true, at: "2026-11-11T00:00:00Z")
    #expect(account.judgement(of: 1, "2026-11-09") == .missed)
  }
}
