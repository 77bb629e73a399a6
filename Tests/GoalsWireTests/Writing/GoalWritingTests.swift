import JSON
import Testing

@testable import GoalsCore
@testable import GoalsWire

@Suite("What a client reads") struct GoalWritingTests {
  private let goal = Goal(
    id: .of(0xABCDEF), title: .of("Run"), colour: .of("#AABBCC"), interval: .weekly,
    frequency: .times(3), unit: .of("km"))

  private func item(_ progress: GoalProgress) -> Goals.Item {
    Goals.Item(goal: goal, progress: progress, streak: Streak(current: 4, longest: 12))
  }

  @Test("of an inactive goal has no progress")
  func inactive() {
    #expect(
      text(of: item(.inactive))
        == #"""
        {"id":"00000000-0000-0000-0000-000000abcdef","title":"Run","colour":"#aabbcc",\#
        "interval":"weekly","frequency":3,"unit":"km","active":false,"progress":null,\#
        "completion":null,"period":null,"streak":{"current":4,"longest":12},"today":null,\#
        "state":null}
        """#)
  }

  private static let completions: [(Int, String)] = [
    (0, "0"), (1, "0.3333333333333333"), (3, "1"), (4, "1.3333333333333333"), (6, "2"),
    (1_000_000, "333333.3333333333"),
  ]

  @Test("of an active goal says how far it has come", arguments: completions)
  func active(_ count: Int, _ completion: String) throws {
    let period = try #require(Period(start: .on("2026-11-16"), end: .on("2026-11-23")))
    let state: RunningPeriod.State = count < 3 ? .open : .met
    let running = RunningPeriod(period, count: count, today: count / 2, state)
    let written = text(of: item(.active(running)))
    #expect(
      written.hasSuffix(
        #"""
        "unit":"km","active":true,"progress":\#(count),"completion":\#(completion),\#
        "period":{"start":"2026-11-16","end":"2026-11-23"},"streak":{"current":4,"longest":12},\#
        "today":\#(count / 2),"state":"\#(state)"}
        """#))
  }

  private static let outcomes: [(Outcome.Status, String)] = [
    (.applied(Version(7)), #""status":"applied","version":7"#),
    (.duplicate(Version(3)), #""status":"duplicate","version":3"#),
    (.unchanged, #""status":"unchanged""#),
    (.skipped, #""status":"skipped""#),
    (
      .rejected(Rejection(.belowZero, "Too few.")),
      #""status":"rejected","code":"below-zero","detail":"Too few.""#
    ),
    (
      .rejected(Rejection(.invalid, "No.", faults: [Fault("/a", "b"), Fault("/c~1", "\"")])),
      #"""
      "status":"rejected","code":"invalid","detail":"No.",\#
      "errors":[{"pointer":"/a","detail":"b"},{"pointer":"/c~1","detail":"\""}]
      """#
    ),
  ]

  @Test("of an outcome is its status, and what belongs to that", arguments: outcomes)
  func outcome(_ status: Outcome.Status, _ members: String) {
    #expect(
      text(of: Outcome(id: .of(0xE1), status: status))
        == "{\"id\":\"00000000-0000-0000-0000-0000000000e1\",\(members)}")
    #expect(
      text(of: Outcome(id: nil, status: status)) == "{\"id\":null,\(members)}")
    #expect(
      text(of: Outcome(id: .of(0xE1), sent: "X", status: status)) == "{\"id\":\"X\",\(members)}")
  }

  @Test("of a calendar is its three settings")
  func calendar() {
    let settings = CalendarSettings(
      timeZone: .of("Europe/Berlin"), weekStart: .saturday, dayStart: .of("03:30"))
    var json = JSONWriter()
    json.object { settings.writeMembers(to: &$0) }
    #expect(
      String(decoding: json.bytes, as: UTF8.self)
        == #"{"timeZone":"Europe/Berlin","weekStart":"saturday","dayStart":"03:30"}"#)
  }
}
