import GoalsCore
import Testing

@testable import GoalsWire

private let goal = quoted("00000000-0000-0000-0000-000000000001")
private let other = quoted("00000000-0000-0000-0000-000000000002")
private let readOnly = [
  "active", "progress", "completion", "period", "streak", "today", "state",
]

@Suite("A goal that is written") struct GoalReadingTests {
  private func read(_ text: String, id rule: GoalIDRule = .required) throws -> Validated<Goal> {
    Goal.read(try parsed(text), id: rule)
  }

  @Test("takes defaults for what is left out")
  func defaults() throws {
    let expected = Goal(
      id: .of(1), title: .of("Run"), colour: .green, interval: .daily, frequency: .times(1),
      unit: nil)
    #expect(try read("{\"id\":\(goal),\"title\":\" Run \"}").value == expected)
  }

  @Test("has no unit where that is empty or null", arguments: ["\"\"", "null"])
  func noUnit(_ unit: String) throws {
    let read = try read("{\"id\":\(goal),\"title\":\"Run\",\"unit\":\(unit)}")
    #expect(read.value?.unit == .some(nil))
    #expect(read.faults == [])
  }

  @Test("needs a title, and here an id")
  func needsFields() throws {
    #expect(
      try read("{}").faults == [Fault("/id", "id is missing"), Fault("/title", "title is missing")])
  }

  @Test("may be sent back as it was read", arguments: readOnly)
  func ignoresReadOnly(_ name: String) throws {
    for value in ["null", "true", "\"x\"", "{\"current\":1}"] {
      let read = try read("{\"id\":\(goal),\"title\":\"Run\",\"\(name)\":\(value)}")
      #expect(read.value?.title == .of("Run"))
    }
  }

  @Test("may say its activity, where a whole goal is sent for itself")
  func activity() throws {
    let texts = [("", nil), (",\"active\":true", true), (",\"active\":false", false)]
    for (text, active) in texts {
      let body = "{\"id\":\(goal),\"title\":\"Run\"\(text)}"
      let read = Goal.readWithActivity(try parsed(body), id: .required)
      #expect(read.value?.goal.title == .of("Run"))
      #expect(read.value?.active == active)
    }
    for active in ["null", "1", "\"true\""] {
      let body = "{\"id\":\(goal),\"title\":\"Run\",\"active\":\(active)}"
      let read = Goal.readWithActivity(try parsed(body), id: .required)
      #expect(read.faults.first == Fault("/active", "true or false is expected"))
    }
  }

  @Test("may be read again as it is written")
  func readsWhatIsWritten() throws {
    let written = Goal(
      id: .of(7), title: .of("\"Lesen\" \\ 📚\u{2028}"), colour: .of("#0a0b0c"), interval: .weekly,
      frequency: .times(1_000_000), unit: .of("Seiten"))
    #expect(try read(text(of: written)).value == written)
  }

  private static let noObjects = ["null", "1", "\"Run\"", "[]", "true"]

  @Test("is an object", arguments: noObjects)
  func isObject(_ text: String) throws {
    let fault = Fault("", "an object is expected")
    #expect(try read(text).faults == [fault])
    #expect(try read(text, id: .optional(otherwise: .of(9))).faults == [fault])
    #expect(try read(text, id: .fixed(.of(9))).faults == [fault])
  }

  @Test("takes the id it is given where it has none")
  func optionalID() throws {
    let rule = GoalIDRule.optional(otherwise: .of(9))
    #expect(try read("{\"title\":\"Run\"}", id: rule).value?.id == .of(9))
    #expect(try read("{\"title\":\"Run\",\"id\":\(goal)}", id: rule).value?.id == .of(1))
    #expect(
      try read("{\"title\":\"Run\",\"id\":null}", id: rule).faults
        == [Fault("/id", "an id is a UUID")])
  }

  @Test("keeps to the id of the path")
  func fixedID() throws {
    let rule = GoalIDRule.fixed(.of(1))
    #expect(try read("{\"title\":\"Run\"}", id: rule).value?.id == .of(1))
    #expect(try read("{\"title\":\"Run\",\"id\":\(goal)}", id: rule).value?.id == .of(1))
    for id in [other, "null", "\"x\"", "1"] {
      #expect(
        try read("{\"title\":\"Run\",\"id\":\(id)}", id: rule).faults
          == [Fault("/id", "the id is not that of the path")])
    }
  }

  @Test("tells everything that is wrong with it at once")
  func allFaults() throws {
    let text = """
      {"id":"x","title":"","colour":"pink","interval":"yearly","frequency":0,"unit":7,\
      "frequency":1,"a/b~c":1,"":2}
      """
    #expect(
      try read(text).faults.map(\.pointer)
        == [
          "/id", "/title", "/colour", "/interval", "/frequency", "/frequency", "/unit", "/a~1b~0c",
          "/",
        ])
  }
}

@Suite("An add without an id for its goal") struct GoalWithoutIDTests {
  @Test("is given one, and says so")
  func isGivenID() throws {
    let read = try proposal(
      #"{"id":"00000000-0000-0000-0000-0000000000e1","type":"add","goal":{"title":"Run"}}"#)
    #expect(
      read
        == .edit(
          ProposedEdit(
            id: .of(0xE1), edit: Edit(.add(Goal(id: .of(99), title: .of("Run")))),
            lacksGoalID: true)))
  }

  @Test("is not taken for one with an id that is none", arguments: ["null", "7", "\"\""])
  func invalidID(_ id: String) throws {
    let edit = """
      {"id":"00000000-0000-0000-0000-0000000000e1","type":"add","goal":{"title":"Run","id":\(id)}}
      """
    #expect(try faults(of: edit) == [Fault("/goal/id", "an id is a UUID")])
  }

  @Test("is no update: that needs the id")
  func update() throws {
    let edit =
      #"{"id":"00000000-0000-0000-0000-0000000000e1","type":"update","goal":{"title":"Run"}}"#
    #expect(try faults(of: edit) == [Fault("/goal/id", "id is missing")])
  }
}

@Suite("A merge patch of a goal") struct GoalPatchTests {
  private func read(_ text: String) throws -> Validated<GoalPatch> {
    GoalPatch.read(try parsed(text), id: .of(1))
  }

  private static let patches: [(String, Goal.Changes, Bool?)] = [
    ("{}", [], nil),
    (#"{"title":"Run"}"#, [.retitling(to: .of("Run"))], nil),
    (#"{"colour":"red"}"#, [.recolouring(to: .red)], nil),
    (#"{"colour":null}"#, [.recolouring(to: .green)], nil),
    (#"{"interval":"weekly"}"#, [.rescheduling(to: .weekly)], nil),
    (#"{"interval":null}"#, [.rescheduling(to: .daily)], nil),
    (#"{"frequency":7}"#, [.targeting(.times(7))], nil),
    (#"{"frequency":null}"#, [.targeting(.times(1))], nil),
    (#"{"unit":"km"}"#, [.measuring(in: .of("km"))], nil),
    (#"{"unit":""}"#, [.measuring(in: nil)], nil),
    (#"{"unit":null}"#, [.measuring(in: nil)], nil),
    (#"{"active":true}"#, [], true),
    (#"{"active":false}"#, [], false),
    (#"{"active":null}"#, [], false),
    (
      #"{"active":true,"unit":null,"title":"Run"}"#,
      [.retitling(to: .of("Run")), .measuring(in: nil)], true
    ),
  ]

  @Test("changes what it names, null to the default", arguments: patches)
  func changes(_ text: String, _ changes: Goal.Changes, _ active: Bool?) throws {
    #expect(try read(text).value == GoalPatch(changes: changes, active: active))
  }

  private static let refused: [(String, [String])] = [
    (#"{"title":null}"#, ["/title"]),
    (#"{"active":1}"#, ["/active"]),
    (#"{"active":"true"}"#, ["/active"]),
    (#"{"colour":"pink","interval":1,"frequency":0}"#, ["/colour", "/interval", "/frequency"]),
    (#"{"id":null}"#, ["/id"]),
    (#"{"id":"00000000-0000-0000-0000-000000000002"}"#, ["/id"]),
    (#"{"titel":"Run"}"#, ["/titel"]),
    (#"{"title":"Run","title":"Run"}"#, ["/title"]),
    (#"{"active":true,"active":true}"#, ["/active"]),
    ("[]", [""]),
    ("null", [""]),
    (
      #"{"title":"","unit":1,"x":1,"active":0,"id":1}"#,
      ["/id", "/title", "/unit", "/active", "/x"]
    ),
  ]

  @Test("tells everything that is wrong with it", arguments: refused)
  func faults(_ text: String, _ pointers: [String]) throws {
    #expect(try read(text).faults.map(\.pointer) == pointers)
  }

  @Test("may name its goal's id, and what only the server sets")
  func ignoresReadOnly() throws {
    let text = """
      {"id":"00000000-0000-0000-0000-000000000001","progress":3,"completion":0.6,\
      "period":{"start":"x"},"streak":null,"title":"Run"}
      """
    #expect(try read(text).value?.changes == [.retitling(to: .of("Run"))])
  }
}
