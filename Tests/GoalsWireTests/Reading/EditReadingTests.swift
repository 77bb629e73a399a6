import GoalsCore
import Testing

@testable import GoalsWire

@Suite("An edit with every field of its type") struct EditReadingTests {
  private static let goal = Goal(
    id: .of(1), title: .of("Yoga"), colour: .of("#ff8000"), interval: .monthly,
    frequency: .times(5), unit: .of("hours"))

  private static let edits: [Edit] = [
    Edit(.add(goal)),
    Edit(.delete(.of(1))),
    Edit(.update(goal)),
    Edit(
      .alter(
        .of(1),
        [
          .retitling(to: .of("Yoga")), .recolouring(to: .of("#ff8000")),
          .rescheduling(to: .monthly), .targeting(.times(5)), .measuring(in: .of("hours")),
        ])),
    Edit(.setActivity(.keyed(KeyedActivity.of((1, true), (2, false))))),
    Edit(.move(.of(1), before: .of(2))),
    Edit(.bump(.of(1), by: .of(-3), note: .of("slowly"))),
    Edit(.skip(.of(1))),
    Edit(
      .configure(
        CalendarSettings.Changes(
          timeZone: .of("Europe/Berlin"), weekStart: .sunday, dayStart: .of("03:00")))),
    Edit(.undo(.of(2))),
  ]

  @Test("is read whole", arguments: zip(Sample.all, edits))
  func isRead(_ sample: Sample, _ edit: Edit) throws {
    let day: Day? = if case .progress = edit { .on("2026-11-21") } else { nil }
    let expected = ProposedEdit(
      id: .of(0xE1), at: .at("2026-11-20T12:00:00Z"), day: day, edit: edit)
    #expect(try proposal(sample.text) == .edit(expected))
  }

  @Test("covers every type there is")
  func coversEveryType() {
    #expect(Sample.all.map(\.type) == EditType.allCases.map(\.rawValue))
  }

  @Test("need not say when it happened", arguments: Sample.all)
  func needsNoInstant(_ sample: Sample) throws {
    guard case .edit(let proposed) = try proposal(sample.without("at")) else {
      Issue.record("it is refused")
      return
    }
    #expect(proposed.at == nil)
  }

  @Test("is refused without a field that it needs", arguments: Sample.all)
  func needsFields(_ sample: Sample) throws {
    for name in ["id", "type"] + sample.required {
      #expect(
        try faults(of: sample.without(name)) == [Fault("/\(name)", "\(name) is missing")])
    }
  }

  @Test("may leave out the others", arguments: Sample.all)
  func leavesOut(_ sample: Sample) throws {
    let optional = sample.fields.map(\.name).filter { !sample.required.contains($0) }
    for name in optional { #expect(try faults(of: sample.without(name)) == []) }
  }

  @Test("is refused where a field is null", arguments: Sample.all)
  func refusesNull(_ sample: Sample) throws {
    for name in sample.members.map(\.name) where !(sample.type == "move" && name == "before") {
      let found = try proposal(sample.with(name, "null")).rejection
      #expect(found?.code == .invalid)
      #expect(found?.faults.map(\.pointer) == ["/\(name)"], "\(name)")
    }
  }

  @Test("is refused where a field is of another type", arguments: Sample.all)
  func refusesOtherTypes(_ sample: Sample) throws {
    for name in sample.members.map(\.name) {
      for value in ["true", "1.5", "\"\\u0000\"", "[[]]"] {
        let pointers = try faults(of: sample.with(name, value)).map(\.pointer)
        let pointer = name == "activity" && value == "[[]]" ? "/activity/0" : "/\(name)"
        // Of the time zone, a text is for others to judge.
        let isAllowed = ["note", "timeZone"].contains(name) && value == "\"\\u0000\""
        #expect(pointers == (isAllowed ? [] : [pointer]), "\(name): \(value)")
      }
    }
  }

  @Test("is refused once where a field is there twice, or three times", arguments: Sample.all)
  func refusesTwice(_ sample: Sample) throws {
    for (name, value) in sample.members {
      let fault = Fault("/\(name)", "\(name) is there twice")
      #expect(try faults(of: sample.adding(name, value)) == [fault])
      let thrice = object(sample.members + [(name, value), (name, "null")])
      #expect(try faults(of: thrice) == [fault])
    }
  }

  @Test("is refused with a field that no edit, or another edit, has", arguments: Sample.all)
  func refusesUnknown(_ sample: Sample) throws {
    for name in ["titel", "", "ID", "By"] {
      #expect(
        try faults(of: sample.adding(name, "null"))
          == [Fault("/\(name)", "there is no such field here")])
    }
    let known = Set(sample.members.map(\.name))
    let fields = Set(Sample.all.flatMap { $0.members.map(\.name) })
    // The day of a recorded edit is passed over where the type counts on none.
    for name in fields.subtracting(known).subtracting(["day"]) {
      #expect(try faults(of: sample.adding(name, "1")).map(\.pointer) == ["/\(name)"])
    }
  }

  @Test("may be sent back as it was recorded, whatever it says there", arguments: Sample.all)
  func ignoresReadOnly(_ sample: Sample) throws {
    let edit = try proposal(sample.text)
    for name in ["version", "recordedAt", "device", "day"]
    where !sample.members.contains(where: { $0.name == name }) {
      for value in ["null", "17", "\"no day\"", "{\"a\":[]}"] {
        #expect(try proposal(sample.adding(name, value)) == edit)
      }
    }
  }

  @Test("spells its names otherwise, and its numbers too")
  func spelling() throws {
    let text = #"""
      {"t\u0079pe":"b\u0075mp", "by":30e-1 , "goal":"00000000-0000-0000-0000-00000000000A",
       "id":"ABCDEF00-0000-0000-0000-000000000000"}
      """#
    let expected = ProposedEdit(
      id: Edit.ID(high: 0xABCD_EF00_0000_0000, low: 0),
      edit: Edit(.bump(.of(10), by: .of(3), note: nil)))
    #expect(try proposal(text) == .edit(expected))
  }
}
