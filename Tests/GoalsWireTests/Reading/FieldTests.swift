import GoalsCore
import Testing

@testable import GoalsWire

/// A field, values that it takes, and values that it does not.
struct FieldTable: Sendable, CustomTestStringConvertible {
  let name: String
  let rule: String
  let good: [String]
  let bad: [String]

  var testDescription: String { name }
}

private func letters(_ count: Int, _ letter: String = "a") -> String {
  quoted(String(repeating: letter, count: count))
}

/// A family of four: one character to a person, seven code points.
private let family = "👨‍👩‍👧‍👦"

extension FieldTable {
  static let title = FieldTable(
    name: "title",
    rule:
      "a title has 1 to 200 characters, besides white space around it, and no control characters",
    good: [letters(1), letters(200), letters(200, "é"), quoted(" a "), #""\t a\n""#, #""\\\"""#],
    bad: [
      letters(0), quoted("   "), letters(201), letters(29, family), #""a\u0000b""#,
      #""a\u001fb""#, #""a\u007fb""#, #""a\u009fb""#, #""a\nb""#, "null", "7", "[\"a\"]",
    ])

  static let colour = FieldTable(
    name: "colour", rule: "a colour is blue, cyan, green, yellow, orange, red, purple, or #rrggbb",
    good: [
      "blue", "cyan", "green", "yellow", "orange", "red", "purple", "#000000", "#ffffff", "#AbCdEf",
    ].map(quoted),
    bad: ["Blue", "", "pink", "#fff", "#ff00gg", "#ff00001", "ff0000", " red"].map(quoted)
      + ["null", "0", "[]"])

  static let interval = FieldTable(
    name: "interval", rule: "an interval is daily, weekly or monthly",
    good: ["daily", "weekly", "monthly"].map(quoted),
    bad: ["Daily", "yearly", "", "daily "].map(quoted) + ["null", "1", "{}"])

  static let frequency = FieldTable(
    name: "frequency", rule: "a frequency is a whole number from 1 to 1000000",
    good: ["1", "1000000", "1e6", "2.0", "10e-1"],
    bad: [
      "0", "-1", "1000001", "1.5", "1e7", "9223372036854775808", "1e999999999", "null", "\"1\"",
      "true", "[1]",
    ])

  static let unit = FieldTable(
    name: "unit", rule: "a unit has at most 20 characters and no control characters, or it is null",
    good: ["null", letters(0), letters(1), letters(20), letters(20, "é")],
    bad: [letters(21), letters(3, family), #""\u0007""#, #""k\nm""#, "1", "{}", "false"])

  static let goalFields = [title, colour, interval, frequency, unit]

  static let by = FieldTable(
    name: "by", rule: "a bump counts by a whole number from -1000000 to 1000000, but not 0",
    good: ["1", "-1", "1000000", "-1000000", "1.0"],
    bad: [
      "0", "-0", "0.0", "1000001", "-1000001", "0.5", "9223372036854775807",
      "-9223372036854775809", "null", "\"1\"",
    ])

  static let note = FieldTable(
    name: "note", rule: "a note is a string of at most 500 characters",
    good: [letters(0), letters(500), letters(500, "é"), #""a\nb\u0000""#],
    bad: [letters(501), letters(72, family), "null", "1", "[]"])

  static let at = FieldTable(
    name: "at", rule: "an instant is an RFC 3339 date and time with an offset",
    good: [
      "2026-11-20T12:00:00Z", "2026-11-20T12:00:00.123456789+23:59", "2026-11-20t12:00:00z",
      "0000-01-01T00:00:00Z", "9999-12-31T23:59:59.999Z", "2016-12-31T23:59:60Z",
    ].map(quoted),
    bad: [
      "2026-11-20", "2026-11-20T12:00:00", "2026-02-29T00:00:00Z", "2026-11-20 12:00:00Z",
      "2026-11-20T24:00:00Z", "2026-11-20T12:00:00+24:00", "", "now",
    ].map(quoted) + ["null", "1795176000"])

  static let weekStart = FieldTable(
    name: "weekStart", rule: "a week start is monday, tuesday, … or sunday",
    good: ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
      .map(quoted),
    bad: ["Monday", "mon", ""].map(quoted) + ["null", "1"])

  static let dayStart = FieldTable(
    name: "dayStart", rule: "a day start is written HH:MM, from 00:00 to 12:00",
    good: ["00:00", "03:59", "12:00"].map(quoted),
    bad: ["12:01", "3:00", "03:60", "24:00", "03:00:00", ""].map(quoted) + ["null", "3"])

  static let ids = [
    quoted("00000000-0000-0000-0000-00000000000A"), quoted("ffffffff-ffff-ffff-ffff-ffffffffffff"),
    quoted("FFFFFFFF-ffff-FFFF-ffff-ffffffffffff"),
  ]
  static let noIDs =
    [
      "", "0", "00000000-0000-0000-0000-00000000000", "00000000-0000-0000-0000-00000000000g",
      "{00000000-0000-0000-0000-000000000001}", "00000000000000000000000000000001",
      "urn:uuid:00000000-0000-0000-0000-000000000001", " 00000000-0000-0000-0000-000000000001",
    ].map(quoted) + ["null", "1", "[]", "{}"]
}

@Suite("A field") struct FieldTests {
  private func sample(_ type: String) throws -> Sample {
    try #require(Sample.all.first { $0.type == type })
  }

  @Test("of a goal keeps its rule wherever the goal is written", arguments: FieldTable.goalFields)
  func ofGoal(_ field: FieldTable) throws {
    for (type, place) in [("add", "goal"), ("update", "goal"), ("alter", "changes")] {
      let sample = try sample(type)
      let write = { (value: String) in
        sample.with(
          place,
          object(
            Sample.goalFields.filter { type != "alter" || $0.name != "id" }
              .map { $0.name == field.name ? (field.name, value) : $0 }))
      }
      let fault = Fault("/\(place)/\(field.name)", field.rule)
      for value in field.good { #expect(try faults(of: write(value)) == [], "\(value)") }
      for value in field.bad { #expect(try faults(of: write(value)) == [fault], "\(value)") }
    }
  }

  private static let ofEdits: [(String, FieldTable)] = [
    ("bump", .by), ("bump", .note), ("bump", .at), ("skip", .at), ("configure", .at),
    ("configure", .weekStart), ("configure", .dayStart),
  ]

  @Test("of an edit keeps its rule", arguments: ofEdits)
  func ofEdit(_ type: String, _ field: FieldTable) throws {
    let sample = try sample(type)
    let fault = Fault("/\(field.name)", field.rule)
    for value in field.good {
      #expect(try faults(of: sample.with(field.name, value)) == [], "\(value)")
    }
    for value in field.bad {
      #expect(try faults(of: sample.with(field.name, value)) == [fault], "\(value)")
    }
  }

  private static let ids: [(String, String)] = [
    ("add", "id"), ("delete", "goal"), ("alter", "goal"), ("move", "goal"), ("move", "before"),
    ("bump", "goal"), ("skip", "goal"), ("undo", "edit"), ("undo", "id"),
  ]

  @Test("that names something is a UUID", arguments: ids)
  func ofID(_ type: String, _ name: String) throws {
    let sample = try sample(type)
    for value in FieldTable.ids { #expect(try faults(of: sample.with(name, value)) == []) }
    for value in FieldTable.noIDs where !(name == "before" && value == "null") {
      let rule = name == "before" ? "an id is a UUID, or null" : "an id is a UUID"
      #expect(try faults(of: sample.with(name, value)) == [Fault("/\(name)", rule)], "\(value)")
    }
  }

  @Test("before of a move may be null, for the end, but not left out")
  func moveToEnd() throws {
    let sample = try sample("move")
    #expect(try proposal(sample.with("before", "null")).edit == Edit(.move(.of(1), before: nil)))
    #expect(try faults(of: sample.without("before")).map(\.pointer) == ["/before"])
  }

  private static let noZones = [
    "", "Europe/", "/etc/passwd", "../etc/passwd", "Europe/../Berlin", "Europe//Berlin", "a b",
    "posixrules", "localtime", "right/UTC", "posix/UTC", "Zoné",
  ]

  @Test("timeZone that can be no zone's name is an unknown zone, not a fault", arguments: noZones)
  func noZone(_ name: String) throws {
    let rejection = try proposal(sample("configure").with("timeZone", quoted(name))).rejection
    #expect(rejection == .unknownTimeZone)
  }

  @Test("timeZone that is no text is a fault")
  func zoneOfOtherType() throws {
    #expect(
      try faults(of: sample("configure").with("timeZone", "5"))
        == [Fault("/timeZone", "a string is expected")])
  }
}
