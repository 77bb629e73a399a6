import Testing

@testable import GoalsCore

/// The last instant before a day starts, and its first: zone, day start, the day before, the day's
/// first instant, the day.
private typealias Turn = (
  zone: String, dayStart: String, before: String, start: String, day: String
)

@Suite("The day of a bump")
struct DayRuleTests {
  private static let everyday: [Turn] = [
    ("UTC", "00:00", "2026-11-19", "2026-11-20T00:00:00Z", "2026-11-20"),
    ("UTC", "03:00", "2026-11-19", "2026-11-20T03:00:00Z", "2026-11-20"),
    ("UTC", "12:00", "2026-11-19", "2026-11-20T12:00:00Z", "2026-11-20"),
    ("America/Los_Angeles", "03:00", "2026-11-19", "2026-11-20T11:00:00Z", "2026-11-20"),
    ("Asia/Kathmandu", "00:00", "2026-11-19", "2026-11-19T18:15:00Z", "2026-11-20"),
    ("Asia/Kathmandu", "03:00", "2026-11-19", "2026-11-19T21:15:00Z", "2026-11-20"),
    ("Pacific/Kiritimati", "03:00", "2026-11-19", "2026-11-19T13:00:00Z", "2026-11-20"),
  ]

  private static let ends: [Turn] = [
    ("UTC", "00:00", "2024-02-28", "2024-02-29T00:00:00Z", "2024-02-29"),
    ("UTC", "03:00", "2024-02-29", "2024-03-01T03:00:00Z", "2024-03-01"),
    ("UTC", "00:00", "2026-02-28", "2026-03-01T00:00:00Z", "2026-03-01"),
    ("UTC", "00:00", "2100-02-28", "2100-03-01T00:00:00Z", "2100-03-01"),
    ("Europe/Berlin", "03:00", "2026-12-31", "2027-01-01T02:00:00Z", "2027-01-01"),
    ("Asia/Kathmandu", "00:00", "2024-02-29", "2024-02-29T18:15:00Z", "2024-03-01"),
  ]

  /// In Los Angeles 02:00 became 03:00 at 10:00 UTC; on Lord Howe 02:00 became 02:30 at 15:30 UTC.
  private static let clocksPutForward: [Turn] = [
    ("America/Los_Angeles", "00:00", "2026-03-07", "2026-03-08T08:00:00Z", "2026-03-08"),
    ("America/Los_Angeles", "00:00", "2026-03-08", "2026-03-09T07:00:00Z", "2026-03-09"),
    ("America/Los_Angeles", "01:30", "2026-03-07", "2026-03-08T09:30:00Z", "2026-03-08"),
    ("America/Los_Angeles", "02:00", "2026-03-07", "2026-03-08T10:00:00Z", "2026-03-08"),
    ("America/Los_Angeles", "02:30", "2026-03-07", "2026-03-08T10:00:00Z", "2026-03-08"),
    ("America/Los_Angeles", "03:00", "2026-03-07", "2026-03-08T10:00:00Z", "2026-03-08"),
    ("America/Los_Angeles", "03:30", "2026-03-07", "2026-03-08T10:30:00Z", "2026-03-08"),
    ("Europe/Berlin", "02:30", "2026-03-28", "2026-03-29T01:00:00Z", "2026-03-29"),
    ("Australia/Lord_Howe", "02:15", "2026-10-03", "2026-10-03T15:30:00Z", "2026-10-04"),
    ("Australia/Lord_Howe", "03:00", "2026-10-03", "2026-10-03T16:00:00Z", "2026-10-04"),
  ]

  /// In Los Angeles 02:00 became 01:00 at 09:00 UTC; on Lord Howe 02:00 became 01:30 at 15:00 UTC.
  private static let clocksPutBack: [Turn] = [
    ("America/Los_Angeles", "00:00", "2026-10-31", "2026-11-01T07:00:00Z", "2026-11-01"),
    ("America/Los_Angeles", "00:00", "2026-11-01", "2026-11-02T08:00:00Z", "2026-11-02"),
    ("America/Los_Angeles", "01:00", "2026-10-31", "2026-11-01T08:00:00Z", "2026-11-01"),
    ("America/Los_Angeles", "01:30", "2026-10-31", "2026-11-01T08:30:00Z", "2026-11-01"),
    ("America/Los_Angeles", "02:00", "2026-10-31", "2026-11-01T10:00:00Z", "2026-11-01"),
    ("America/Los_Angeles", "03:00", "2026-10-31", "2026-11-01T11:00:00Z", "2026-11-01"),
    ("Europe/Berlin", "02:30", "2026-10-24", "2026-10-25T00:30:00Z", "2026-10-25"),
    ("Australia/Lord_Howe", "01:45", "2026-04-04", "2026-04-04T14:45:00Z", "2026-04-05"),
    ("Australia/Lord_Howe", "03:00", "2026-04-04", "2026-04-04T16:30:00Z", "2026-04-05"),
  ]

  private static let dateLine: [Turn] = [
    ("Pacific/Apia", "00:00", "2011-12-28", "2011-12-29T10:00:00Z", "2011-12-29"),
    ("Pacific/Apia", "00:00", "2011-12-29", "2011-12-30T10:00:00Z", "2011-12-31"),
    ("Pacific/Apia", "03:00", "2011-12-29", "2011-12-30T13:00:00Z", "2011-12-31"),
    ("Pacific/Apia", "12:00", "2011-12-29", "2011-12-30T22:00:00Z", "2011-12-31"),
    ("Pacific/Apia", "00:00", "2011-12-31", "2011-12-31T10:00:00Z", "2012-01-01"),
  ]

  @Test(
    "starts at the first instant of its date at which the clock shows the day start",
    arguments: everyday)
  private func start(of turn: Turn) { expect(turn) }

  @Test("ends a month, a year, and a February with and without a leap day", arguments: ends)
  private func end(of turn: Turn) { expect(turn) }

  @Test("starts at the jump where the clocks skip the day start", arguments: clocksPutForward)
  private func skipped(_ turn: Turn) { expect(turn) }

  @Test("starts the first time that the clocks show the day start", arguments: clocksPutBack)
  private func repeated(_ turn: Turn) { expect(turn) }

  @Test("is never one that the zone did not have", arguments: dateLine)
  private func missing(_ turn: Turn) { expect(turn) }

  private func expect(_ turn: Turn) {
    let start = Instant.at(turn.start)
    let creation = "2000-01-01T00:00:00Z"
    for (instant, day) in [(start.adding(milliseconds: -1), turn.before), (start, turn.day)] {
      var account = TestAccount.living(
        in: turn.zone, dayStart: turn.dayStart, since: creation, now: instant.description,
        with: .some(1))
      account.record(.bump(1, by: .one, note: nil))
      #expect(account.log.last?.day == .on(day))
      #expect(account.counts() == ["\(day): 1"])
    }
  }

  @Test(
    "stays the one that has started, though the clocks show the time before the day start again",
    arguments: [
      ("America/Los_Angeles", "01:30", "2026-11-01T09:15:00Z", "2026-11-01"),
      ("America/Los_Angeles", "01:30", "2026-11-01T09:45:00Z", "2026-11-01"),
      ("America/Los_Angeles", "02:00", "2026-11-01T09:45:00Z", "2026-10-31"),
      ("Australia/Lord_Howe", "01:45", "2026-04-04T15:05:00Z", "2026-04-05"),
    ] as [(String, String, String, String)])
  func shownAgain(_ zone: String, _ dayStart: String, _ now: String, _ day: String) {
    var account = TestAccount.living(
      in: zone, dayStart: dayStart, since: "2026-01-01T00:00:00Z", now: now, with: .some(1))
    account.record(.bump(1, by: .one, note: nil))
    #expect(account.counts() == ["\(day): 1"])
  }

  @Test(
    "lasts until the next one starts: a night owl's longest and shortest are those before the change",
    arguments: [
      ("America/Los_Angeles", "03:00", "2026-03-07", 23 * 60),
      ("America/Los_Angeles", "03:00", "2026-03-08", 24 * 60),
      ("America/Los_Angeles", "03:00", "2026-10-31", 25 * 60),
      ("America/Los_Angeles", "03:00", "2026-11-01", 24 * 60),
      ("America/Los_Angeles", "02:30", "2026-03-07", 23 * 60 + 30),
      ("America/Los_Angeles", "02:30", "2026-03-08", 23 * 60 + 30),
      ("America/Los_Angeles", "01:30", "2026-10-31", 24 * 60),
      ("America/Los_Angeles", "01:30", "2026-11-01", 25 * 60),
      ("Europe/Berlin", "03:00", "2026-03-28", 23 * 60),
      ("Europe/Berlin", "03:00", "2026-10-24", 25 * 60),
      ("Australia/Lord_Howe", "03:00", "2026-10-03", 23 * 60 + 30),
      ("Australia/Lord_Howe", "03:00", "2026-04-04", 24 * 60 + 30),
      ("Pacific/Apia", "03:00", "2011-12-29", 24 * 60),
    ] as [(String, String, String, Int64)])
  func length(_ zone: String, _ dayStart: String, _ day: String, _ minutes: Int64) {
    let calendar = TestAccount.living(in: zone, dayStart: dayStart).calendar
    let seconds = calendar.end(of: .on(day)).seconds - calendar.start(of: .on(day)).seconds
    #expect(seconds == minutes * 60)
  }
}
