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
    #expect(Inverse(read: text(of: inverse)) == inverse)
  }

  @Test("says what has to hold, and what an undo took back", arguments: effects)
  func wholeRoundTrip(_ effect: Effect, _ bytes: String) {
    let inverse = Inverse(
      of: edit(
        Reversal(effect, standing: effect), undone: .init(root: Version(1), effect: effect)))
    let written =
      "{\"root\":1,\"undone\":\(bytes),\"effect\":\(bytes),\"standing\":\(bytes)}"
    #expect(text(of: inverse) == written)
    #expect(Inverse(read: written) == inverse)
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
    #expect(Inverse(read: text) == nil)
  }
}

@Suite("What undoing needs, kept in short") struct KeptInverseTests {
  private static let ids = (1...6).map { Goal.ID.of($0) }

  private func kept(_ activity: KeyedActivity, turned flags: [Bool]) throws -> RecordedEdit {
    let reversal = try #require(Reversal(turning: activity, flags))
    return try #require(
      RecordedEdit(
        version: Version(2), id: .of(9), at: .at("2026-11-20T12:00:00Z"),
        recordedAt: .at("2026-11-20T12:00:00Z"), device: "",
        edit: Edit(.setActivity(.keyed(activity))), reversal: { _ in reversal }))
  }

  private func undo(
    _ root: RecordedEdit, _ effect: Effect, _ reversal: Reversal
  ) throws -> RecordedEdit {
    try #require(
      RecordedEdit(
        version: Version(3), id: .of(10), at: root.at, recordedAt: root.at, device: "",
        edit: Edit(.undo(root.id)), undone: .init(root: root.version, effect: effect),
        reversal: { _ in reversal }))
  }

  private func read(
    _ kept: KeptInverse, of edit: RecordedEdit, root: RecordedEdit?
  ) throws
    -> RecordedEdit?
  {
    let payload = try #require(RecordedPayload(Array(text(of: edit).utf8)))
    let again = try #require(KeptInverse(Array(text(of: kept).utf8)))
    return again.edit(payload) { _ in root }
  }

  @Test(
    "says of an activity which of its goals it turned, four a digit",
    arguments: [
      ([true, false, false, false, true, true], "8c"), ([], ""),
      ([false, false, false, true], "1"), ([Bool](repeating: true, count: 6), "fc"),
    ])
  func turned(_ flags: [Bool], _ digits: String) throws {
    let activity = KeyedActivity(
      Self.ids.prefix(flags.count).map { .init(goal: $0, isActive: $0 != .of(2)) })
    let edit = try kept(activity, turned: flags)
    #expect(text(of: KeptInverse(of: edit)) == "{\"turned\":\"\(digits)\"}")
    #expect(try read(KeptInverse(of: edit), of: edit, root: nil) == edit)
  }

  @Test("says of an undo, and of that one's undo, only what it mirrors", arguments: [true, false])
  func mirrored(isUndone: Bool) throws {
    let activity = KeyedActivity(Self.ids.map { .init(goal: $0, isActive: true) })
    let root = try kept(activity, turned: [true, false, true, true, true, true])
    let (effect, reversal) = root.mirrored(isUndone: isUndone)
    let edit = try undo(root, effect, reversal)
    let kept = KeptInverse(of: edit, root: root)
    #expect(text(of: kept) == "{\"mirrors\":2,\"undone\":\(isUndone)}")
    #expect(try read(kept, of: edit, root: root) == edit)
    // Not by another edit than the one it names, and not without it.
    #expect(try read(kept, of: edit, root: nil) == nil)
    #expect(try read(kept, of: edit, root: edit) == nil)
    #expect(KeptInverse(of: edit) == .whole(Inverse(of: edit)))
  }

  @Test("says everything of an undo that mirrors nothing")
  func whole() throws {
    let root = try kept([.of(1): true], turned: [true])
    let edit = try undo(root, .remove(.of(1)), Reversal(.restore(.of(1), before: nil)))
    let kept = KeptInverse(of: edit, root: root)
    #expect(kept == .whole(Inverse(of: edit)))
    #expect(try read(kept, of: edit, root: nil) == edit)
  }

  @Test(
    "is nothing else",
    arguments: [
      "{\"turned\":8}", "{\"turned\":\"g\"}", "{\"turned\":\"8\",\"more\":1}", "{\"mirrors\":2}",
      "{\"mirrors\":\"2\",\"undone\":true}", "{\"mirrors\":2,\"undone\":1}", "[]", "",
      "{\"turned\":\"８\"}",
    ])
  func refusesGarbage(_ text: String) {
    #expect(KeptInverse(Array(text.utf8)) == nil)
  }

  @Test("fits its payload, or is none of it", arguments: ["", "8", "808", "c1"])
  func unfit(_ digits: String) throws {
    let activity = KeyedActivity(Self.ids.map { .init(goal: $0, isActive: true) })
    let edit = try kept(activity, turned: [true, false, false, false, false, false])
    let payload = try #require(RecordedPayload(Array(text(of: edit).utf8)))
    let kept = try #require(KeptInverse(Array("{\"turned\":\"\(digits)\"}".utf8)))
    #expect(kept.edit(payload) { _ in nil } == nil)
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

extension Inverse {
  /// As the log keeps it whole.
  init?(read text: String) {
    guard case .whole(let inverse)? = KeptInverse(Array(text.utf8)) else { return nil }
    self = inverse
  }
}
