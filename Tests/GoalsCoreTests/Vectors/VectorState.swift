import Testing

@testable import GoalsCore

/// The state of an account as a vector writes it (Tests/Vectors/README.md says how).
struct VectorState {
  let json: VectorJSON

  static let creation = Instant.at("2026-01-01T00:00:00.000Z")
  static let deletion = Instant.at("2026-02-01T00:00:00.000Z")

  /// The state that is meant.
  func state() throws -> AccountState {
    let others = try goals("goals") + fillers("others", from: 1 << 60)
    let deleted = try goals("deleted") + fillers("othersDeleted", from: 1 << 61)
    let made = try others.map(tracked) + deleted.map { try tracked($0, isDeleted: true) }
    let roster = try #require(Roster(goals: made, order: Array(others.indices)))
    let recordedAt = try json["recordedAt"].map { try instant($0) }
    return AccountState(
      version: Version(json["version"]?.integer ?? 0), recordedAt: recordedAt,
      calendar: try calendar(), roster: roster)
  }

  /// Compares a state with this one; `before` is what a goal that is only its id is taken from.
  func expect(_ state: AccountState, before: AccountState) throws {
    #expect(state.version.number == json["version"]?.integer)
    #expect(try state.recordedAt == json["recordedAt"].map { try instant($0) })
    #expect(try state.calendar == calendar())
    let listed = try goals("goals")
    let deleted = try goals("deleted")
    let others = try fillers("others", from: 1 << 60)
    let othersDeleted = try fillers("othersDeleted", from: 1 << 61)
    #expect(try state.roster.ids == (listed + others).map(id))
    for goal in listed + others { try expect(goal, in: state, before: before, isDeleted: false) }
    for goal in deleted + othersDeleted {
      try expect(goal, in: state, before: before, isDeleted: true)
    }
    #expect(
      state.roster.everMade == listed.count + others.count + deleted.count + othersDeleted.count)
  }

  private func expect(
    _ json: VectorJSON, in state: AccountState, before: AccountState, isDeleted: Bool
  ) throws {
    let goal = try #require(state.roster.goal(try id(json)))
    guard json.object != nil else {
      #expect(goal == before.roster.goal(goal.goal.id))
      return
    }
    let expected = try tracked(json, isDeleted: isDeleted)
    #expect(goal.goal == expected.goal)
    #expect(goal.isActive == expected.isActive)
    #expect(goal.isDeleted == isDeleted)
    #expect(goal.days == expected.days)
    if json["notes"] != nil { #expect(try notes(of: goal) == notes(json)) }
    if json["createdAt"] != nil { #expect(goal.createdAt == expected.createdAt) }
    if json["intervals"] != nil { #expect(goal.intervals == expected.intervals) }
    if json["frequencies"] != nil { #expect(goal.frequencies == expected.frequencies) }
    if json["activity"] != nil { #expect(goal.activity == expected.activity) }
    if json["existence"] != nil { #expect(goal.existence == expected.existence) }
  }
}

extension VectorState {
  private func goals(_ field: String) throws -> [VectorJSON] {
    guard let goals = json[field] else { return [] }
    return try #require(goals.array)
  }

  /// Goals that only take room.
  private func fillers(_ field: String, from number: UInt64) throws -> [VectorJSON] {
    guard let count = json[field] else { return [] }
    return (0..<UInt64(try #require(count.integer))).map { place in
      let id = Goal.ID(high: number, low: place).description
      return .object(["id": .text(id), "title": .text("Other")])
    }
  }

  private func calendar() throws -> CalendarSettings {
    let zone = json["timeZone"]?.text ?? "UTC"
    return CalendarSettings(
      timeZone: try #require(ZoneName(zone)),
      weekStart: try #require(Weekday(json["weekStart"]?.text ?? "monday")),
      dayStart: try #require(DayStart(json["dayStart"]?.text ?? "00:00")))
  }

  private func id(_ goal: VectorJSON) throws -> Goal.ID {
    try #require((goal.text ?? goal["id"]?.text).flatMap { Goal.ID($0) })
  }

  private func tracked(_ json: VectorJSON) throws -> TrackedGoal {
    try tracked(json, isDeleted: false)
  }

  private func tracked(_ json: VectorJSON, isDeleted: Bool) throws -> TrackedGoal {
    let creation = try json["createdAt"].map { try instant($0) } ?? Self.creation
    let interval = try json["interval"].map { try #require($0.text.flatMap { Interval($0) }) }
    let frequency = try json["frequency"].map { try #require($0.integer.flatMap { Frequency($0) }) }
    let isThere: [Timeline<Bool>.Setting] =
      [.init(from: creation, value: true)]
      + (isDeleted ? [.init(from: Self.deletion, value: false)] : [])
    let intervals = try timeline(json["intervals"]) { $0.text.flatMap { Interval($0) } }
    let frequencies = try timeline(json["frequencies"]) { $0.integer.flatMap { Frequency($0) } }
    let activity = try timeline(json["activity"], \.bool)
    let goal = TrackedGoal(
      id: try id(json), title: try #require(json["title"]?.text.flatMap { Title($0) }),
      colour: try json["colour"].map { try #require($0.text.flatMap { Colour($0) }) } ?? .green,
      unit: json["unit"]?.text.flatMap { GoalUnit($0) },
      intervals: intervals ?? Timeline(interval ?? .daily, from: creation),
      frequencies: frequencies ?? Timeline(frequency ?? .times(1), from: creation),
      activity: activity ?? Timeline(json["active"]?.bool ?? false, from: creation),
      existence: try #require(try timeline(json["existence"], \.bool) ?? Timeline(isThere)),
      days: try days(json), notes: KeptNotes())
    // Where a field and its timeline are both there, they must agree.
    #expect(goal.goal.interval == interval ?? goal.goal.interval)
    #expect(goal.goal.frequency == frequency ?? goal.goal.frequency)
    #expect(goal.isActive == json["active"]?.bool ?? goal.isActive)
    return goal
  }

  private func days(_ json: VectorJSON) throws -> DayCounts {
    var days = DayCounts()
    for (day, count) in json["days"]?.object ?? [:] {
      days.add(try #require(count.integer), on: try #require(Day(day)))
    }
    for day in json["excused"]?.array ?? [] {
      days.setExcused(true, on: try #require(day.text.flatMap { Day($0) }))
    }
    return days
  }

  /// The texts by day, in log order.
  private func notes(_ json: VectorJSON) throws -> [Day: [String]] {
    var notes: [Day: [String]] = [:]
    for (day, texts) in json["notes"]?.object ?? [:] {
      notes[try #require(Day(day))] = texts.array?.compactMap(\.text)
    }
    return notes
  }

  private func notes(of goal: TrackedGoal) -> [Day: [String]] {
    Dictionary(grouping: goal.notes.all, by: \.day).mapValues { $0.map(\.note.text) }
  }

  private func timeline<Value>(
    _ json: VectorJSON?, _ read: @escaping (VectorJSON) -> Value?
  ) throws -> Timeline<Value>? {
    guard let json else { return nil }
    let settings = try #require(json.array).map { setting in
      let value = try #require(setting["value"].flatMap { read($0) })
      return Timeline<Value>.Setting(from: try instant(try #require(setting["from"])), value: value)
    }
    let timeline = try #require(Timeline(settings))
    // What is written has to be in the one form that a timeline has.
    #expect(timeline.settings == settings)
    return timeline
  }

  private func instant(_ json: VectorJSON) throws -> Instant {
    try #require(json.text.flatMap { Instant($0) }, "\(json)")
  }
}
