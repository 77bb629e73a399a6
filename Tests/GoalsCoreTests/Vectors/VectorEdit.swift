@testable import GoalsCore

/// Reads an edit of a vector, and names by pointer what is wrong with it.
struct VectorEdit {
  private(set) var faults: [String] = []
  /// The id of a goal that comes without one.
  let made: Goal.ID

  /// What the edit comes to as a place of a batch.
  static func proposal(_ json: VectorJSON, made: Goal.ID) -> Proposal {
    var reader = VectorEdit(made: made)
    let id = reader.field(json, "id") { $0.text.flatMap { Edit.ID($0) } }
    let at = reader.optional(json, "at") { $0.text.flatMap { Instant($0) } }
    let edit = reader.edit(json)
    let countsOnDay = ["bump", "skip"].contains(json["type"]?.text)
    let day = countsOnDay ? reader.optional(json, "day") { $0.text.flatMap { Day($0) } } : nil
    guard reader.faults.isEmpty, let id, let edit else {
      let faults = reader.faults.map { Fault(pointer: $0, detail: "") }
      return .refused(Rejection(.invalid, "", faults: faults), id: id, sent: json["id"]?.text)
    }
    if edit.type == .configure, let name = json["timeZone"]?.text, ZoneName(name) == nil {
      return .refused(Rejection(.unknownTimeZone, ""), id: id, sent: nil)
    }
    let lacksGoalID = json["type"]?.text == "add" && json["goal"]?["id"] == nil
    return .edit(
      ProposedEdit(id: id, at: at, day: day, edit: edit, lacksGoalID: lacksGoalID))
  }

  /// Reads a recorded edit. What takes it back is not part of it, and nothing here.
  static func recorded(_ json: VectorJSON) -> RecordedEdit? {
    guard case .edit(let proposed) = proposal(json, made: 0), let at = proposed.at,
      let version = json["version"]?.integer, let device = json["device"]?.text,
      let recordedAt = json["recordedAt"]?.text.flatMap({ Instant($0) })
    else { return nil }
    let nothing = Effect.setActivity([:])
    let isUndo = proposed.edit.type == .undo
    return RecordedEdit(
      version: Version(version), id: proposed.id, at: at, recordedAt: recordedAt, device: device,
      edit: proposed.edit, day: json["day"]?.text.flatMap { Day($0) },
      undone: isUndo ? RecordedEdit.Undone(root: .none, effect: nothing) : nil,
      reversal: { _ in Reversal(nothing) })
  }

  init(made: Goal.ID) { self.made = made }

  /// The edit itself; nil where something is wrong with it.
  mutating func edit(_ json: VectorJSON) -> Edit? {
    guard let type = field(json, "type", { $0.text.flatMap { EditType(rawValue: $0) } }) else {
      return nil
    }
    let own = fields(of: type)
    let shared = ["id", "type", "at", "version", "recordedAt", "device", "day"]
    refuseOthers(than: own + shared, in: json, at: "")
    switch type {
    case .add:
      return goal(json, needsID: false).map { Edit(.add($0)) }
    case .update:
      return goal(json, needsID: true).map { Edit(.update($0)) }
    case .delete:
      return goalID(json).map { Edit(.delete($0)) }
    case .alter:
      let id = goalID(json)
      let changes = changes(json)
      return both(id, changes).map { Edit(.alter($0, $1)) }
    case .setActivity:
      return activity(json).map { Edit(.setActivity($0)) }
    case .move:
      let id = goalID(json)
      let before = field(json, "before") { $0 == .null ? .some(nil) : $0.text.flatMap(Self.id) }
      return both(id, before).map { Edit(.move($0, before: $1)) }
    case .bump:
      let id = goalID(json)
      let by = optional(json, "by") { $0.integer.flatMap { Increment($0) } }
      let note = optional(json, "note") { $0.text.flatMap { Note($0) } }
      return id.map { Edit(.bump($0, by: by ?? .one, note: note)) }
    case .skip:
      return goalID(json).map { Edit(.skip($0)) }
    case .configure:
      return Edit(.configure(settings(json)))
    case .undo:
      return field(json, "edit") { $0.text.flatMap { Edit.ID($0) } }.map { Edit(.undo($0)) }
    }
  }

  private func fields(of type: EditType) -> [String] {
    switch type {
    case .add, .update, .delete, .skip: ["goal"]
    case .alter: ["goal", "changes"]
    case .setActivity: ["activity"]
    case .move: ["goal", "before"]
    case .bump: ["goal", "by", "note"]
    case .configure: ["timeZone", "weekStart", "dayStart"]
    case .undo: ["edit"]
    }
  }
}

extension VectorEdit {
  private static func id(_ text: String) -> Goal.ID?? { Goal.ID(text).map { $0 } }

  private mutating func goalID(_ json: VectorJSON) -> Goal.ID? {
    field(json, "goal") { $0.text.flatMap { Goal.ID($0) } }
  }

  private mutating func goal(_ edit: VectorJSON, needsID: Bool) -> Goal? {
    guard let json = field(edit, "goal", { $0.object == nil ? nil : $0 }) else { return nil }
    let read = { (json: VectorJSON) in json.text.flatMap { Goal.ID($0) } }
    let id =
      needsID ? field(json, "id", in: "/goal", read) : optional(json, "id", in: "/goal", read)
    let title = field(json, "title", in: "/goal") { $0.text.flatMap { Title($0) } }
    let written = ["id", "title", "colour", "interval", "frequency", "unit"]
    let changes = changes(in: json, at: "/goal", but: "title")
    refuseOthers(
      than: written + ["active", "progress", "completion", "period", "streak"], in: json,
      at: "/goal")
    return title.map { Goal(id: id ?? made, title: $0).alter(by: changes) }
  }

  private mutating func changes(_ edit: VectorJSON) -> Goal.Changes? {
    guard let json = field(edit, "changes", { $0.object == nil ? nil : $0 }) else { return nil }
    refuseOthers(
      than: ["title", "colour", "interval", "frequency", "unit"], in: json, at: "/changes")
    return changes(in: json, at: "/changes")
  }

  private mutating func changes(
    in json: VectorJSON, at pointer: String, but left: String = ""
  ) -> Goal.Changes {
    let title: Title? =
      left == "title"
      ? nil : optional(json, "title", in: pointer) { $0.text.flatMap { Title($0) } }
    let colour = optional(json, "colour", in: pointer) { $0.text.flatMap { Colour($0) } }
    let interval = optional(json, "interval", in: pointer) { $0.text.flatMap { Interval($0) } }
    let frequency = optional(json, "frequency", in: pointer) {
      $0.integer.flatMap { Frequency($0) }
    }
    let unit = optional(json, "unit", in: pointer) { json -> GoalUnit?? in
      if json == .null || json == .text("") { return .some(nil) }
      return json.text.flatMap { GoalUnit($0) }.map { .some($0) }
    }
    let changes: [Goal.Change?] = [
      title.map { .retitling(to: $0) }, colour.map { .recolouring(to: $0) },
      interval.map { .rescheduling(to: $0) }, frequency.map { .targeting($0) },
      unit.map { .measuring(in: $0) },
    ]
    return Goal.Changes(changes.compactMap { $0 })
  }

  /// A name that no zone can have is left out here, and refused as a whole.
  private mutating func settings(_ json: VectorJSON) -> CalendarSettings.Changes {
    let zone = optional(json, "timeZone", \.text)
    let weekStart = optional(json, "weekStart") { $0.text.flatMap { Weekday($0) } }
    let dayStart = optional(json, "dayStart") { $0.text.flatMap { DayStart($0) } }
    return CalendarSettings.Changes(
      timeZone: zone.flatMap { ZoneName($0) }, weekStart: weekStart, dayStart: dayStart)
  }

  private mutating func activity(_ edit: VectorJSON) -> Activity? {
    guard let json = field(edit, "activity", { $0 }) else { return nil }
    if let values = json.array {
      let places = values.indices.filter { values[$0].bool == nil }
      faults += places.map { "/activity/\($0)" }
      return places.isEmpty ? .listed(values.compactMap(\.bool)) : nil
    }
    guard let values = json.object else {
      faults.append("/activity")
      return nil
    }
    let wrong = values.filter { Goal.ID($0.key) == nil || $0.value.bool == nil }
    faults += wrong.keys.map { "/activity/\($0)" }
    let entries = values.compactMap { key, value in
      Goal.ID(key).map { KeyedActivity.Element(goal: $0, isActive: value == .bool(true)) }
    }
    // Foundation loses the order of the members. The vectors keep goals in the order of their ids.
    return wrong.isEmpty ? .keyed(KeyedActivity(entries.sorted { $0.goal < $1.goal })) : nil
  }

  private func both<First, Second>(_ first: First?, _ second: Second?) -> (First, Second)? {
    guard let first, let second else { return nil }
    return (first, second)
  }

  private mutating func field<Value>(
    _ json: VectorJSON, _ name: String, in pointer: String = "",
    _ read: (VectorJSON) -> Value?
  ) -> Value? {
    guard let value = json[name].flatMap(read) else {
      faults.append("\(pointer)/\(name)")
      return nil
    }
    return value
  }

  private mutating func optional<Value>(
    _ json: VectorJSON, _ name: String, in pointer: String = "",
    _ read: (VectorJSON) -> Value?
  ) -> Value? {
    json[name] == nil ? nil : field(json, name, in: pointer, read)
  }

  private mutating func refuseOthers(
    than known: [String], in json: VectorJSON, at pointer: String
  ) {
    faults += (json.object ?? [:]).keys.filter { !known.contains($0) }.map { "\(pointer)/\($0)" }
  }
}
