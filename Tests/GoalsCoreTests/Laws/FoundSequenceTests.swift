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

  private func expectAgreement(in zone: String, _ edits: [Edit], at now: Instant) {
    let calendar = CalendarSettings(
      timeZone: .of(zone), weekStart: .monday, dayStart: .midnight)
    var script = EditScript(calendar: calendar, maximumGoals: 1000)
    script.steps = edits.enumerated().map { place, edit in
      let proposed = ProposedEdit(id: ID(high: 0, low: UInt64(place)), edit: edit)
      return .send(Batch(device: "phone", proposals: [.edit(proposed)]), now: now)
    }
    script.steps.append(.look(at: now, in: .on("2026-11-01")..<(.on("2026-12-01"))))
    let disagreement = SideBySide.disagreement(on: script, zones: TestZones())
    #expect(disagreement == nil, "\(script)")
  }
}
