import Testing

@testable import GoalsCore

/// Sequences on which the core and the simple model once did not agree.
@Suite("A sequence that was found at random")
struct FoundSequenceTests {
  @Test("may leave a count on a later day: the list of a paused goal changes when that comes")
  func countAhead() {
    // What is today in Apia is tomorrow in Los Angeles.
    let now = Instant.at("2026-11-20T12:00:00Z")
    let edits: [Edit] = [
      Edit(.add(.some(1))), Edit(.setActivity(.keyed([1: true]))),
      Edit(.bump(1, by: .one, note: nil)), Edit(.setActivity(.keyed([1: false]))),
      Edit(.configure(CalendarSettings.Changes(timeZone: .of("America/Los_Angeles")))),
    ]
    expectAgreement(in: "Pacific/Apia", edits, at: now)
  }

  @Test("may change the interval where a day is missing: a history from it has the day before")
  func changeAtAMissingDay() {
    // Apia had no 2011-12-30: its 29th ended as its 31st began, at 10:00 UTC.
    let changed = Instant.at("2011-12-30T10:00:00Z")
    expectAgreement(
      in: "Pacific/Apia",
      [
        (Edit(.add(.some(1, "Goal", .daily))), Instant.at("2011-12-29T12:00:00Z")),
        (Edit(.update(.some(1, "Goal", .monthly))), changed),
      ], lookingAt: changed, in: .on("2011-12-30")..<(.on("2012-01-16")))
  }

  private func expectAgreement(in zone: String, _ edits: [Edit], at now: Instant) {
    expectAgreement(
      in: zone, edits.map { ($0, now) }, lookingAt: now,
      in: .on("2026-11-01")..<(.on("2026-12-01")))
  }

  private func expectAgreement(
    in zone: String, _ edits: [(edit: Edit, at: Instant)], lookingAt now: Instant,
    in window: Range<Day>
  ) {
    let calendar = CalendarSettings(
      timeZone: .of(zone), weekStart: .monday, dayStart: .midnight)
    var script = EditScript(calendar: calendar, maximumGoals: 1000)
    script.steps = edits.enumerated().map { index, step in
      let proposed = ProposedEdit(id: ID(high: 0, low: UInt64(index)), edit: step.edit)
      return .send(Batch(device: "phone", proposals: [.edit(proposed)]), now: step.at)
    }
    script.steps.append(.look(at: now, in: window))
    let disagreement = SideBySide.disagreement(on: script, zones: TestZones())
    #expect(disagreement == nil, "\(script)")
  }
}
