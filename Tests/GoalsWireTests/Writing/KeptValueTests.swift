import GoalsCore
import TestSupport
import Testing

@testable import GoalsWire

@Suite("What undoing an edit needs") struct InverseTests {
  private static let effects: [(Effect, String)] = [
    (
      .insert(Goal(id: .of(1), title: .of("Run"))),
      #"""
      {"insert":{"id":"00000000-0000-0000-0000-000000000001","title":"Run","colour":"green",\#
      "interval":"daily","frequency":1,"unit":null}}
      """#
    ),
    (.remove(.of(1)), #"{"remove":"00000000-0000-0000-0000-000000000001"}"#),
    (
      .restore(.of(1), before: .of(2)),
      #"""
      {"restore":"00000000-0000-0000-0000-000000000001",\#
      "before":"00000000-0000-0000-0000-000000000002"}
      """#
    ),
    (
      .restore(.of(1), before: nil),
      #"{"restore":"00000000-0000-0000-0000-000000000001","before":null}"#
    ),
    (
      .alter(.of(1), [.targeting(.times(3)), .measuring(in: nil)]),
      #"""
      {"alter":"00000000-0000-0000-0000-000000000001","changes":{"frequency":3,"unit":null}}
      """#
    ),
    (
      .alter(.of(1), []), #"{"alter":"00000000-0000-0000-0000-000000000001","changes":{}}"#
    ),
    (
      .setActivity(KeyedActivity.of((2, true), (1, false))),
      #"""
      {"turn":{"00000000-0000-0000-0000-000000000002":true,\#
      "00000000-0000-0000-0000-000000000001":false}}
      """#
    ),
    (.setActivity(KeyedActivity.of()), #"{"turn":{}}"#),
    (
      .move(.of(1), before: nil),
      #"{"place":"00000000-0000-0000-0000-000000000001","before":null}"#
    ),
    (
      .count(.of(1), on: .on("2026-11-20"), by: -7, note: .of("n"), bump: Version(4)),
      #"""
      {"count":"00000000-0000-0000-0000-000000000001","day":"2026-11-20","by":-7,"note":"n",\#
      "bump":4}
      """#
    ),
    (
      .count(.of(1), on: .on("2026-11-20"), by: .max, note: nil, bump: Version(4)),
      #"""
      {"count":"00000000-0000-0000-0000-000000000001","day":"2026-11-20",\#
      "by":9223372036854775807,"note":null,"bump":4}
      """#
    ),
    (
      .excuse(.of(1), on: .on("2026-11-20"), true),
      #"""
      {"excuse":"00000000-0000-0000-0000-000000000001","day":"2026-11-20","excused":true}
      """#
    ),
    (
      .configure(.init(timeZone: .of("Asia/Tokyo"), weekStart: .friday, dayStart: .of("03:00"))),
      #"{"configure":{"timeZone":"Asia/Tokyo","weekStart":"friday","dayStart":"03:00"}}"#
    ),
    (.configure(.init()), #"{"configure":{}}"#),
  ]

  private func edit(_ reversal: Reversal, undone: RecordedEdit.Undone? = nil) -> RecordedEdit {
    let edit = undone == nil ? Edit(.delete(.of(1))) : Edit(.undo(.of(1)))
    return known(
      RecordedEdit(
        version: Version(2), id: .of(9), at: .at("2026-11-20T12:00:00Z"),
        recordedAt: .at("2026-11-20T12:00:00Z"), device: "", edit: edit, undone: undone,
        reversal: { _ in reversal }), edit)
  }

  @Test("is written as these bytes, and read again", arguments: effects)
  func roundTrip(_ effect: Effect, _ bytes: String) {
    let inverse = Inverse(of: edit(Reversal(effect)))
    #expect(text(of: inverse) == "{\"effect\":\(bytes)}")
    #expect(Inverse(Array(text(of: inverse).utf8)) == inverse)
  }

  @Test("says what has to hold, and what an undo took back", arguments: effects)
  func wholeRoundTrip(_ effect: Effect, _ bytes: String) {
    let inverse = Inverse(
      of: edit(
        Reversal(effect, standing: effect), undone: .init(root: Version(1), effect: effect)))
    let written =
      "{\"root\":1,\"undone\":\(bytes),\"effect\":\(bytes),\"standing\":\(bytes)}"
    #expect(text(of: inverse) == written)
    #expect(Inverse(Array(written.utf8)) == inverse)
  }

  private static let id = "\"00000000-0000-0000-0000-000000000001\""
  private static let garbage = [
    "", "null", "{}", "{\"effect\":null}", "{\"effect\":{}}", "{\"effect\":{\"vanish\":1}}",
    "{\"effect\":{\"remove\":1}}", "{\"effect\":{\"remove\":\(id),\"before\":null}}",
    "{\"effect\":{\"restore\":\(id)}}", "{\"effect\":{\"alter\":\(id)}}",
    "{\"effect\":{\"alter\":\(id),\"changes\":{\"title\":null}}}",
    "{\"effect\":{\"alter\":\(id),\"changes\":{\"id\":\(id)}}}",
    "{\"effect\":{\"turn\":[true]}}", "{\"effect\":{\"insert\":{\"title\":\"Run\"}}}",
    "{\"effect\":{\"count\":\(id),\"day\":\"2026-11-20\",\"by\":1,\"bump\":1}}",
    "{\"effect\":{\"count\":\(id),\"day\":\"2026-02-30\",\"by\":1,\"note\":null,\"bump\":1}}",
    "{\"effect\":{\"excuse\":\(id),\"day\":\"2026-11-20\"}}",
    "{\"effect\":{\"configure\":{\"timeZone\":\"../x\"}}}",
    "{\"effect\":{\"configure\":{\"weekStart\":null}}}",
    "{\"effect\":{\"configure\":{\"week\":1}}}",
    // The first member names the effect.
    "{\"effect\":{\"before\":null,\"place\":\(id)}}",
    // Of what an undo took back there is all or nothing.
    "{\"effect\":{\"remove\":\(id)},\"root\":1}",
    "{\"effect\":{\"remove\":\(id)},\"undone\":{\"remove\":\(id)}}",
    "{\"effect\":{\"remove\":\(id)},\"more\":1}",
    "{\"effect\":{\"remove\":\(id)},\"standing\":{}}",
  ]

  @Test("is nothing else", arguments: garbage)
  func refusesGarbage(_ text: String) {
    #expect(Inverse(Array(text.utf8)) == nil)
  }
}

@Suite("The timelines of a goal") struct TimelinesTests {
  private var goal: TrackedGoal {
    var intervals = Timeline(Interval.daily, from: .at("1970-01-01T00:00:00.001Z"))
    intervals.set(.monthly, from: .at("2026-11-20T12:00:00Z"))
    var activity = Timeline(false, from: .at("1969-12-31T23:59:59Z"))
    activity.set(true, from: .at("1970-01-01T00:00:00Z"))
    return TrackedGoal(
      id: .of(1), title: .of("Run"), colour: .green, unit: nil, intervals: intervals,
      frequencies: Timeline(.times(7), from: Instant(milliseconds: .min)), activity: activity,
      existence: Timeline(true, from: Instant(milliseconds: .max)), days: DayCounts(),
      notes: KeptNotes())
  }

  private let bytes = """
    {"intervals":[[1,"daily"],[1795176000000,"monthly"]],\
    "frequencies":[[-9223372036854775808,7]],"activity":[[-1000,false],[0,true]],\
    "existence":[[9223372036854775807,true]]}
    """

  @Test("are written as these bytes, and read again")
  func roundTrip() throws {
    let timelines = Timelines(of: goal)
    #expect(text(of: timelines) == bytes)
    #expect(Timelines(Array(bytes.utf8)) == timelines)
  }

  private static let garbage: [(String, String)] = [
    ("{\"intervals\":[[1,\"daily\"]", "{\"intervals\":[]"),
    ("[1,\"daily\"]", "[1]"),
    ("[1,\"daily\"]", "[1,\"daily\",1]"),
    ("[1,\"daily\"]", "[1.5,\"daily\"]"),
    ("[1,\"daily\"]", "[\"daily\",1]"),
    ("[1,\"daily\"]", "{}"),
    ("\"daily\"", "\"yearly\""),
    (",7]", ",0]"),
    ("true", "null"),
    ("\"existence\":", "\"existences\":"),
    ("\"activity\":[[-1000,false],[0,true]]", "\"activity\":[]"),
    ("{\"intervals\"", "{\"more\":1,\"intervals\""),
    ("{\"intervals\"", "{\"activity\":[[0,true]],\"intervals\""),
    ("[1,", "[9223372036854775808,"),
  ]

  @Test("are nothing else", arguments: garbage)
  func refusesGarbage(_ part: String, _ other: String) throws {
    let spoilt = bytes.replacing(part, with: other)
    #expect(spoilt != bytes)
    #expect(Timelines(Array(spoilt.utf8)) == nil)
    #expect(Timelines(Array(bytes.utf8.dropLast())) == nil)
  }
}
