import GoalsCore
import TestSupport
import Testing

@testable import GoalsWire

/// A recorded edit of each type, and its payload.
struct Payload: Sendable, CustomTestStringConvertible {
  let edit: RecordedEdit
  let text: String

  var testDescription: String { edit.edit.type.rawValue }

  init(
    _ edit: Edit, day: Day? = nil, undone: RecordedEdit.Undone? = nil, reversal: Reversal,
    _ members: String, end: String = ""
  ) {
    self.edit = known(
      RecordedEdit(
        version: Version(41), id: .of(0xE1), at: .at("2026-11-20T23:50:00.001Z"),
        recordedAt: .at("2026-11-21T00:01:02.003Z"), device: "Ann's \"phone\"", edit: edit,
        day: day, undone: undone, reversal: { _ in reversal }), edit)
    text = """
      {"id":"00000000-0000-0000-0000-0000000000e1",\(members),"at":"2026-11-20T23:50:00.001Z",\
      "version":41,"recordedAt":"2026-11-21T00:01:02.003Z","device":"Ann's \\"phone\\""\(end)}
      """
  }

  private static let goal = Goal(
    id: .of(1), title: .of("Läufe / \"5 km\" \\ 👟\u{7F00}"), colour: .of("#ff8000"),
    interval: .monthly, frequency: .times(5), unit: nil)

  static let all: [Payload] = [
    Payload(
      Edit(.add(goal)), reversal: Reversal(.remove(.of(1))),
      #"""
      "type":"add","goal":{"id":"00000000-0000-0000-0000-000000000001",\#
      "title":"Läufe / \"5 km\" \\ 👟缀","colour":"#ff8000","interval":"monthly","frequency":5,\#
      "unit":null}
      """#),
    Payload(
      Edit(.delete(.of(1))), reversal: Reversal(.restore(.of(1), before: .of(2))),
      #""type":"delete","goal":"00000000-0000-0000-0000-000000000001""#),
    Payload(
      Edit(
        .update(
          Goal(
            id: .of(1), title: .of("Run"), colour: .purple, interval: .weekly,
            frequency: .times(1_000_000), unit: .of("km")))),
      reversal: Reversal(
        .alter(.of(1), [.retitling(to: .of("Walk"))]),
        standing: .alter(.of(1), [.retitling(to: .of("Run"))])),
      #"""
      "type":"update","goal":{"id":"00000000-0000-0000-0000-000000000001","title":"Run",\#
      "colour":"purple","interval":"weekly","frequency":1000000,"unit":"km"}
      """#),
    Payload(
      Edit(
        .alter(
          .of(1),
          [
            .retitling(to: .of("Run")), .recolouring(to: .blue), .rescheduling(to: .daily),
            .targeting(.times(2)), .measuring(in: nil),
          ])),
      reversal: Reversal(.alter(.of(1), [.measuring(in: .of("km"))])),
      #"""
      "type":"alter","goal":"00000000-0000-0000-0000-000000000001","changes":{"title":"Run",\#
      "colour":"blue","interval":"daily","frequency":2,"unit":null}
      """#),
    Payload(
      Edit(.setActivity(.keyed(KeyedActivity.of((2, true), (1, false))))),
      reversal: Reversal(
        .setActivity(KeyedActivity.of((2, false))),
        standing: .setActivity(KeyedActivity.of((2, true)))),
      #"""
      "type":"setActivity","activity":{"00000000-0000-0000-0000-000000000002":true,\#
      "00000000-0000-0000-0000-000000000001":false}
      """#),
    Payload(
      Edit(.move(.of(1), before: nil)), reversal: Reversal(.move(.of(1), before: .of(2))),
      #""type":"move","goal":"00000000-0000-0000-0000-000000000001","before":null"#),
    Payload(
      Edit(.bump(.of(1), by: .of(-3), note: .of("a\nb"))), day: .on("2026-11-21"),
      reversal: Reversal(
        .count(.of(1), on: .on("2026-11-21"), by: 3, note: nil, bump: Version(41))),
      #""type":"bump","goal":"00000000-0000-0000-0000-000000000001","by":-3,"note":"a\nb""#,
      end: #","day":"2026-11-21""#),
    Payload(
      Edit(.skip(.of(1))), day: .on("2026-11-20"),
      reversal: Reversal(
        .excuse(.of(1), on: .on("2026-11-20"), false),
        standing: .excuse(.of(1), on: .on("2026-11-20"), true)),
      #""type":"skip","goal":"00000000-0000-0000-0000-000000000001""#,
      end: #","day":"2026-11-20""#),
    Payload(
      Edit(
        .configure(
          .init(timeZone: .of("Europe/Berlin"), weekStart: .sunday, dayStart: .of("03:00")))),
      reversal: Reversal(.configure(.init(timeZone: .utc))),
      #""type":"configure","timeZone":"Europe/Berlin","weekStart":"sunday","dayStart":"03:00""#),
    Payload(
      Edit(.undo(.of(0xE0))),
      undone: .init(root: Version(40), effect: .remove(.of(1))),
      reversal: Reversal(.restore(.of(1), before: nil)),
      #""type":"undo","edit":"00000000-0000-0000-0000-0000000000e0""#),
  ]
}

@Suite("The payload of a recorded edit") struct PayloadTests {
  @Test("is of format 1, which never changes", arguments: Payload.all)
  func goldenBytes(_ payload: Payload) {
    #expect(text(of: payload.edit) == payload.text)
  }

  @Test("is pinned for every type there is")
  func coversEveryType() {
    #expect(Payload.all.map(\.edit.edit.type) == EditType.allCases)
  }

  @Test("leaves out of a configure and a bump what was not said")
  func shortForms() {
    let configure = Payload(
      Edit(.configure(.init(weekStart: .monday))), reversal: Reversal(.configure(.init())),
      #""type":"configure","weekStart":"monday""#)
    let bump = Payload(
      Edit(.bump(.of(1), by: .one, note: nil)), day: .on("2026-11-21"),
      reversal: Reversal(.remove(.of(1))),
      #""type":"bump","goal":"00000000-0000-0000-0000-000000000001","by":1"#,
      end: #","day":"2026-11-21""#)
    let move = Payload(
      Edit(.move(.of(1), before: .of(2))), reversal: Reversal(.remove(.of(1))),
      #"""
      "type":"move","goal":"00000000-0000-0000-0000-000000000001",\#
      "before":"00000000-0000-0000-0000-000000000002"
      """#)
    for payload in [configure, bump, move] { #expect(text(of: payload.edit) == payload.text) }
  }

  @Test("with what is kept beside it is the edit again", arguments: Payload.all)
  func roundTrip(_ payload: Payload) throws {
    let read = try #require(RecordedPayload(Array(payload.text.utf8)))
    let inverse = try #require(Inverse(read: text(of: Inverse(of: payload.edit))))
    #expect(read.with(undone: inverse.undone) { _ in inverse.reversal } == payload.edit)
  }

  @Test("says itself what takes an add, a bump or a skip back", arguments: Payload.all)
  func impliedReversal(_ payload: Payload) throws {
    let read = try #require(RecordedPayload(Array(payload.text.utf8)))
    let implying: [EditType] = [.add, .bump, .skip]
    let expected = implying.contains(payload.edit.edit.type) ? payload.edit.reversal : nil
    #expect(read.impliedReversal == expected)
  }

  @Test("may be sent again by a client as it is", arguments: Payload.all)
  func isEditOfClient(_ payload: Payload) throws {
    let expected = ProposedEdit(
      id: .of(0xE1), at: payload.edit.at, day: payload.edit.day, edit: payload.edit.edit)
    #expect(try proposal(payload.text) == .edit(expected))
  }

  @Test("is refused cut off, anywhere", arguments: Payload.all)
  func refusesCutOff(_ payload: Payload) {
    let bytes = Array(payload.text.utf8)
    for count in 0..<bytes.count { #expect(RecordedPayload(Array(bytes[..<count])) == nil) }
  }

  @Test("is refused without what every payload has", arguments: Payload.all)
  func refusesIncomplete(_ payload: Payload) throws {
    let members = try #require(try parsed(payload.text).members)
    let all = members.map { (name: String($0.name), value: text(of: $0.value)) }
    let optional: Set = ["by", "note", "timeZone", "weekStart", "dayStart"]
    for (name, value) in all {
      let rest = object(all.filter { $0.name != name })
      #expect((RecordedPayload(Array(rest.utf8)) == nil) == !optional.contains(name), "\(name)")
      let twice = object(all + [(name, value)])
      #expect(RecordedPayload(Array(twice.utf8)) == nil, "\(name) twice")
      let other = object(all.map { $0.name == name ? (name, "{\"a\":[]}") : $0 })
      #expect(RecordedPayload(Array(other.utf8)) == nil, "\(name) of another type")
    }
    let unknown = object(all + [("more", "1")])
    #expect(RecordedPayload(Array(unknown.utf8)) == nil)
  }

  private static let garbage = [
    "", "{}", "[]", "null", "\u{0}", "{\"id\":", "{\"version\":1}",
    // A day where none belongs, and none where one does.
    #"""
    {"id":"00000000-0000-0000-0000-0000000000e1","type":"delete","goal":\#
    "00000000-0000-0000-0000-000000000001","at":"2026-11-20T23:50:00.001Z","version":41,\#
    "recordedAt":"2026-11-21T00:01:02.003Z","device":"a","day":"2026-11-20"}
    """#,
    #"""
    {"id":"00000000-0000-0000-0000-0000000000e1","type":"skip","goal":\#
    "00000000-0000-0000-0000-000000000001","at":"2026-11-20T23:50:00.001Z","version":41,\#
    "recordedAt":"2026-11-21T00:01:02.003Z","device":"a"}
    """#,
    // A goal without an id.
    #"""
    {"id":"00000000-0000-0000-0000-0000000000e1","type":"add","goal":{"title":"Run"},\#
    "at":"2026-11-20T23:50:00.001Z","version":41,"recordedAt":"2026-11-21T00:01:02.003Z",\#
    "device":"a"}
    """#,
    // An activity that is not keyed.
    #"""
    {"id":"00000000-0000-0000-0000-0000000000e1","type":"setActivity","activity":[true],\#
    "at":"2026-11-20T23:50:00.001Z","version":41,"recordedAt":"2026-11-21T00:01:02.003Z",\#
    "device":"a"}
    """#,
  ]

  @Test("is nothing else", arguments: garbage)
  func refusesGarbage(_ text: String) {
    #expect(RecordedPayload(Array(text.utf8)) == nil)
  }
}
