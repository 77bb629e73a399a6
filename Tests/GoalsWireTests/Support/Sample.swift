import Testing

/// An edit with all the fields that its type has, to be spoilt one by one.
struct Sample: Sendable, CustomTestStringConvertible {
  typealias Member = (name: String, value: String)

  let type: String
  /// Besides `id`, `type` and `at`.
  let fields: [Member]
  /// Those of the fields that must be there.
  let required: [String]

  init(_ type: String, _ fields: [Member], required: [String]) {
    self.type = type
    self.fields = fields
    self.required = required
  }

  var testDescription: String { type }

  var members: [Member] {
    [
      ("id", quoted(Self.id)), ("type", quoted(type)), ("at", quoted("2026-11-20T12:00:00Z")),
    ] + fields
  }

  var text: String { object(members) }

  func without(_ name: String) -> String { object(members.filter { $0.name != name }) }

  func with(_ name: String, _ value: String) -> String {
    object(members.map { $0.name == name ? (name, value) : $0 })
  }

  func adding(_ name: String, _ value: String) -> String { object(members + [(name, value)]) }

  static let id = "00000000-0000-0000-0000-0000000000e1"
  static let goal = quoted("00000000-0000-0000-0000-000000000001")
  static let other = quoted("00000000-0000-0000-0000-000000000002")

  static let goalFields: [Member] = [
    ("id", goal), ("title", quoted("Yoga")), ("colour", quoted("#ff8000")),
    ("interval", quoted("monthly")), ("frequency", "5"), ("unit", quoted("hours")),
  ]

  static let all: [Sample] = [
    Sample("add", [("goal", object(goalFields))], required: ["goal"]),
    Sample("delete", [("goal", goal)], required: ["goal"]),
    Sample("update", [("goal", object(goalFields))], required: ["goal"]),
    Sample(
      "alter", [("goal", goal), ("changes", object(Array(goalFields.dropFirst())))],
      required: ["goal", "changes"]),
    Sample(
      "setActivity", [("activity", "{\(goal):true,\(other):false}")], required: ["activity"]),
    Sample("move", [("goal", goal), ("before", other)], required: ["goal", "before"]),
    Sample(
      "bump",
      [
        ("goal", goal), ("by", "-3"), ("note", quoted("slowly")), ("day", quoted("2026-11-21")),
      ], required: ["goal"]),
    Sample("skip", [("goal", goal), ("day", quoted("2026-11-21"))], required: ["goal"]),
    Sample(
      "configure",
      [
        ("timeZone", quoted("Europe/Berlin")), ("weekStart", quoted("sunday")),
        ("dayStart", quoted("03:00")),
      ], required: []),
    Sample("undo", [("edit", other)], required: ["edit"]),
  ]
}
