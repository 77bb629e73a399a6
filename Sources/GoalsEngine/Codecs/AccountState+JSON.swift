import GoalsCore
import GoalsReplica
import GoalsWire
import JSON

extension CalendarSettings: JSONWritable {
  package func write(to json: inout JSONWriter) {
    json.object { json in writeMembers(to: &json) }
  }
}

extension Replica.Identity: JSONWritable {
  package func write(to json: inout JSONWriter) {
    json.object { json in
      json.member("account", account)
      json.member("calendar", calendar)
    }
  }

  /// Reads the output of `write`; nil for anything else.
  init?(_ value: JSONValue) {
    var object = ObjectReader(value)
    let account = object.required("account", .id()) as Account.ID?
    let calendar = object.validated("calendar") { CalendarSettings.read($0, at: $1) }
    guard object.finish().isEmpty, let account, let calendar else { return nil }
    self.init(account: account, calendar: calendar)
  }

  /// Reads what can be read of an identity: at least whose it is.
  init?(salvaging value: JSONValue) {
    var object = ObjectReader(value)
    guard let account = object.required("account", .id()) as Account.ID? else { return nil }
    let calendar = object.validated("calendar") { CalendarSettings.read($0, at: $1) }
    self.init(account: account, calendar: calendar ?? .initial)
  }
}

extension AccountState: JSONWritable {
  /// Writes all of the state: of goals in the list and of deleted ones, by slot.
  package func write(to json: inout JSONWriter) {
    json.object { json in
      json.member("version", version)
      json.member("recordedAt", recordedAt)
      json.member("calendar", calendar)
      json.array("goals") { json in
        for slot in 0..<roster.everMade {
          if let goal = roster.goal(in: slot) { json.value(goal) }
        }
      }
      json.member("order", roster.order)
    }
  }

  /// Reads the output of `write`; nil for anything else.
  init?(_ value: JSONValue) {
    var object = ObjectReader(value)
    let version = object.required("version", .version)
    let recordedAt = object.required("recordedAt", Reading.instant.orNull)
    let calendar = object.validated("calendar") { CalendarSettings.read($0, at: $1) }
    let order = object.take("order").flatMap { [Int]($0) }
    guard let version, let recordedAt, let calendar, let order,
      let elements = object.take("goals")?.elements, object.finish().isEmpty
    else { return nil }
    var goals: [TrackedGoal] = []
    for element in elements {
      guard let goal = TrackedGoal(element) else { return nil }
      goals.append(goal)
    }
    guard let roster = Roster(goals: goals, order: order) else { return nil }
    self.init(version: version, recordedAt: recordedAt, calendar: calendar, roster: roster)
  }
}

extension TrackedGoal: JSONWritable {
  /// Writes a goal with everything that was recorded of it. A day is `[number, count]`, with the
  /// days since 1970-01-01, and with `true` behind them where it is excused; a note is
  /// `[version, number of the day, text]`.
  package func write(to json: inout JSONWriter) {
    json.object { json in
      json.member("id", goal.id)
      json.member("title", goal.title)
      json.member("colour", goal.colour)
      json.member("unit", goal.unit)
      json.member("timelines", Timelines(of: self))
      json.array("days") { json in
        for counted in days.all {
          json.array { json in
            json.value(Int64(counted.day.number))
            json.value(counted.count)
            if counted.isExcused { json.value(true) }
          }
        }
      }
      json.array("notes") { json in
        for note in notes.all {
          json.array { json in
            json.value(note.version)
            json.value(Int64(note.day.number))
            json.value(note.note)
          }
        }
      }
    }
  }

  /// Reads the output of `write`; nil for anything else.
  fileprivate init?(_ value: JSONValue) {
    var object = ObjectReader(value)
    let id = object.required("id", .id()) as Goal.ID?
    let title = object.required("title", .title)
    let colour = object.required("colour", .colour)
    let unit = object.required("unit", .unit)
    guard let timelines = object.take("timelines").flatMap({ Timelines($0) }),
      let days = object.take("days").flatMap({ DayCounts($0) }),
      let notes = object.take("notes").flatMap({ KeptNotes($0) }), object.finish().isEmpty,
      let id, let title, let colour, let unit
    else { return nil }
    self.init(
      id: id, title: title, colour: colour, unit: unit, intervals: timelines.intervals,
      frequencies: timelines.frequencies, activity: timelines.activity,
      existence: timelines.existence, days: days, notes: notes)
  }
}

extension DayCounts {
  fileprivate init?(_ value: JSONValue) {
    guard let elements = value.elements else { return nil }
    var days: [DayCount] = []
    for element in elements {
      var parts = element.elements?.makeIterator()
      guard let day = parts?.next().flatMap({ Day(number: $0) }),
        let count = parts?.next()?.number?.integer, count >= 0
      else { return nil }
      days.append(
        DayCount(day: day, count: Int(clamping: count), isExcused: parts?.next()?.bool ?? false))
    }
    self.init(days)
  }
}

extension KeptNotes {
  fileprivate init?(_ value: JSONValue) {
    guard let elements = value.elements else { return nil }
    var notes: [TrackedGoal.KeptNote] = []
    for element in elements {
      var parts = element.elements?.makeIterator()
      guard let version = parts?.next().flatMap({ Reading<Version>.version.read($0) }),
        let day = parts?.next().flatMap({ Day(number: $0) }),
        let note = parts?.next().flatMap({ Reading<Note>.note.read($0) })
      else { return nil }
      notes.append(TrackedGoal.KeptNote(version: version, day: day, note: note))
    }
    self.init(notes)
  }
}

extension Day {
  fileprivate init?(number value: JSONValue) {
    guard let number = value.number?.integer, let day = Day(number: number) else { return nil }
    self = day
  }
}

extension [Int] {
  fileprivate init?(_ value: JSONValue) {
    guard let elements = value.elements else { return nil }
    self = []
    for element in elements {
      guard let number = element.number?.integer.flatMap({ Int(exactly: $0) }) else { return nil }
      append(number)
    }
  }
}
