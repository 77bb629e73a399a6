import GoalsCore
import JSON
import Testing

@testable import GoalsWire

@Suite("An edit that is refused") struct RefusedEditTests {
  @Test("tells everything that is wrong with it, from its own root")
  func allFaults() throws {
    let text = """
      {"id":"x","type":"add","at":"yesterday","goal":{"title":" ","frequency":1.5,"titel":"Run"},\
      "goal":1,"changes":{}}
      """
    let read = try proposal(text)
    #expect(
      read.rejection
        == Rejection(
          .invalid, "The edit is not valid.",
          faults: [
            Fault("/id", "an id is a UUID"),
            Fault("/at", "an instant is an RFC 3339 date and time with an offset"),
            Fault("/goal", "goal is there twice"),
            Fault(
              "/goal/title",
              "a title has 1 to 200 characters, besides white space around it, and no control "
                + "characters"),
            Fault("/goal/frequency", "a frequency is a whole number from 1 to 1000000"),
            Fault("/goal/titel", "there is no such field here"),
            Fault("/changes", "there is no such field here"),
          ]))
  }

  private static let texts: [(String, [Fault])] = [
    ("{}", [Fault("/id", "id is missing"), Fault("/type", "type is missing")]),
    ("[]", [Fault("", "an object is expected")]),
    ("null", [Fault("", "an object is expected")]),
    ("\"add\"", [Fault("", "an object is expected")]),
    (
      #"{"id":"00000000-0000-0000-0000-000000000001","type":"Add"}"#,
      [Fault("/type", "there is no such type of edit")]
    ),
    (
      #"{"id":"00000000-0000-0000-0000-000000000001","type":null,"at":1}"#,
      [
        Fault("/at", "an instant is an RFC 3339 date and time with an offset"),
        Fault("/type", "there is no such type of edit"),
      ]
    ),
  ]

  @Test("tells what can be told where it is no edit at all", arguments: texts)
  func noEdit(_ text: String, _ faults: [Fault]) throws {
    #expect(try proposal(text).rejection?.faults == faults)
  }

  @Test("of an unknown type is not blamed for fields that this type may have")
  func unknownType() throws {
    let text = #"{"id":"00000000-0000-0000-0000-000000000001","type":"archive","until":"2027"}"#
    #expect(try faults(of: text) == [Fault("/type", "there is no such type of edit")])
  }

  @Test("is not an unknown zone where more is wrong with it")
  func unknownZoneAndFault() throws {
    let text = """
      {"id":"00000000-0000-0000-0000-000000000001","type":"configure","timeZone":"../x",\
      "dayStart":"13:00"}
      """
    #expect(try proposal(text).rejection?.code == .invalid)
    let withUnknown = """
      {"id":"00000000-0000-0000-0000-000000000001","type":"configure","timeZone":"../x","zone":1}
      """
    let rejection = try proposal(withUnknown).rejection
    #expect(rejection?.code == .invalid)
    #expect(rejection?.faults.map(\.pointer) == ["/zone"])
  }

  private static let ids: [(String, Edit.ID?, String)] = [
    (
      #""ABCDEF00-0000-0000-0000-000000000001""#, Edit.ID(high: 0xABCD_EF00_0000_0000, low: 1),
      #""ABCDEF00-0000-0000-0000-000000000001""#
    ),
    (#""my edit""#, nil, #""my edit""#),
    (#""""#, nil, #""""#),
    (#""\u0000\"""#, nil, #""\u0000\"""#),
    ("17", nil, "null"),
    ("null", nil, "null"),
    ("[\"a\"]", nil, "null"),
  ]

  @Test("is named in its outcome by the id as it was sent, or null", arguments: ids)
  func namesID(_ sent: String, _ id: Edit.ID?, _ told: String) throws {
    let state = AccountState()
    let read = try proposal("{\"id\":\(sent),\"type\":\"none\"}")
    #expect(read.id == id)
    let ruling = state.judge(
      Batch(device: "phone", proposals: [read]), chain: nil,
      by: Circumstances(now: .at("2026-11-20T12:00:00Z"), zones: Zones()))
    let outcome = try #require(ruling.outcomes.first)
    let written = text(of: outcome)
    #expect(written.hasPrefix("{\"id\":\(told),\"status\":\"rejected\",\"code\":\"invalid\","))
  }

  @Test("has its pointers in its outcome after the place that the request has it at")
  func place() throws {
    let rejection = try #require(try proposal("{\"id\":7}").rejection)
    let outcome = Outcome(id: nil, sent: nil, status: .rejected(rejection))
    var json = JSONWriter()
    outcome.write(to: &json, edit: .root["edits"][3])
    let written = String(decoding: json.bytes, as: UTF8.self)
    #expect(written.contains(#""pointer":"/edits/3/id""#))
    #expect(written.contains(#""pointer":"/edits/3/type""#))
    #expect(text(of: outcome).contains(#""pointer":"/type""#))
  }

  @Test(
    "is named null where it has no id, or is no object", arguments: ["{\"type\":\"add\"}", "7"])
  func hasNoID(_ edit: String) throws {
    guard case .refused(_, let id, let sent) = try proposal(edit) else {
      Issue.record("it is not refused")
      return
    }
    #expect(id == nil)
    #expect(sent == nil)
  }
}

@Suite("A body with edits") struct BatchBodyTests {
  private func read(
    _ text: String, edits limit: ClosedRange<Int> = 1...3
  ) throws
    -> Validated<BatchBody>
  {
    BatchBody.read(try parsed(text), edits: limit, by: ProposalReader { .of(99) })
  }

  @Test("says of all but the edits what is usual, where nothing else is said")
  func defaults() throws {
    let body = try #require(try read("{\"edits\":[7]}").value)
    #expect(body.proposals.count == 1)
    #expect(!body.isAtomic)
    #expect(body.ifVersion == nil)
  }

  @Test("says otherwise")
  func allFields() throws {
    let body = try #require(
      try read("{\"edits\":[{},1],\"atomic\":true,\"ifVersion\":41.0}").value)
    #expect(body.isAtomic)
    #expect(body.ifVersion == Version(41))
    #expect(
      body.proposals.map { $0.rejection?.faults.map(\.pointer) ?? [] }
        == [["/id", "/type"], [""]])
  }

  private static let refused: [(String, [Fault])] = [
    ("[]", [Fault("", "an object is expected")]),
    ("{}", [Fault("/edits", "edits is missing")]),
    ("{\"edits\":[]}", [Fault("/edits", "an array of 1 to 3 edits is expected")]),
    ("{\"edits\":[1,2,3,4]}", [Fault("/edits", "an array of 1 to 3 edits is expected")]),
    ("{\"edits\":{}}", [Fault("/edits", "an array of 1 to 3 edits is expected")]),
    ("{\"edits\":null}", [Fault("/edits", "an array of 1 to 3 edits is expected")]),
    ("{\"edits\":[1],\"edits\":[1]}", [Fault("/edits", "edits is there twice")]),
    (
      "{\"edits\":7,\"atomic\":1,\"ifVersion\":-1,\"dryRun\":true}",
      [
        Fault("/edits", "an array of 1 to 3 edits is expected"),
        Fault("/atomic", "true or false is expected"),
        Fault("/ifVersion", "a version is a whole number, 0 or more"),
        Fault("/dryRun", "there is no such field here"),
      ]
    ),
    (
      "{\"edits\":[1],\"ifVersion\":0.5}",
      [Fault("/ifVersion", "a version is a whole number, 0 or more")]
    ),
    (
      "{\"edits\":[1],\"ifVersion\":null,\"atomic\":null}",
      [
        Fault("/atomic", "true or false is expected"),
        Fault("/ifVersion", "a version is a whole number, 0 or more"),
      ]
    ),
  ]

  @Test("is refused as a whole only for what is wrong around the edits", arguments: refused)
  func faults(_ text: String, _ faults: [Fault]) throws {
    #expect(try read(text).faults == faults)
  }

  @Test("holds as many edits as it may, and not one more")
  func limits() throws {
    #expect(try read("{\"edits\":[1,2,3]}").value?.proposals.count == 3)
    #expect(try read("{\"edits\":[]}", edits: 0...3).value?.proposals.isEmpty == true)
  }

  @Test("names the largest version")
  func largestVersion() throws {
    let body = try read("{\"edits\":[1],\"ifVersion\":9223372036854775807}")
    #expect(body.value?.ifVersion == Version(.max))
    #expect(try read("{\"edits\":[1],\"ifVersion\":9223372036854775808}").value == nil)
  }
}

@Suite("A merge patch of the calendar") struct CalendarPatchTests {
  private func read(
    _ text: String
  ) throws -> (
    Result<CalendarSettings.Changes, Rejection>?, [Fault]
  ) {
    var object = ObjectReader(try parsed(text))
    let changes = CalendarSettings.Changes.readPatch(from: &object, defaults: .initial)
    return (changes, object.finish())
  }

  private static let patches: [(String, CalendarSettings.Changes)] = [
    ("{}", .init()),
    (
      #"{"timeZone":"Asia/Tokyo","weekStart":"friday","dayStart":"12:00"}"#,
      .init(timeZone: .of("Asia/Tokyo"), weekStart: .friday, dayStart: .of("12:00"))
    ),
    (
      #"{"timeZone":null,"weekStart":null,"dayStart":null}"#,
      .init(timeZone: .utc, weekStart: .monday, dayStart: .midnight)
    ),
    (#"{"dayStart":"03:00"}"#, .init(dayStart: .of("03:00"))),
  ]

  @Test("changes what it names, null to the default", arguments: patches)
  func changes(_ text: String, _ changes: CalendarSettings.Changes) throws {
    let (read, faults) = try read(text)
    #expect(read == .success(changes))
    #expect(faults == [])
  }

  @Test("tells everything that is wrong with it")
  func faults() throws {
    let (read, faults) = try read(#"{"timeZone":1,"weekStart":"x","dayStart":2,"week":3}"#)
    #expect(read == nil)
    #expect(
      faults == [
        Fault("/timeZone", "a string is expected, or null"),
        Fault("/weekStart", "a week start is monday, tuesday, … or sunday, or null"),
        Fault("/dayStart", "a day start is written HH:MM, from 00:00 to 12:00, or null"),
        Fault("/week", "there is no such field here"),
      ])
  }

  @Test("knows no zone of a name that can be none")
  func noZone() throws {
    #expect(try read(#"{"timeZone":"../x"}"#).0 == .failure(.unknownTimeZone))
  }
}
