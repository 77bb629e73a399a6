import GoalsCore
import JSON

/// Reads edits as clients write them.
package struct ProposalReader {
  /// Makes an id for a goal that is added without one.
  let makeGoalID: () -> Goal.ID

  package init(makeGoalID: @escaping () -> Goal.ID) { self.makeGoalID = makeGoalID }

  /// Reads one element of a batch. An element that is not a valid edit becomes a refused proposal
  /// and does not affect the others. The pointers of its faults begin at the element.
  package func read(_ value: JSONValue) -> Proposal {
    var object = ObjectReader(value)
    let sent = object.first("id")
    let id = object.required("id", .id()) as Edit.ID?
    let at = object.optional("at", .instant)
    let edit = readEdit(from: &object)
    // A day that was read from a bump or skip is taken; another edit counts on none.
    object.ignore(["version", "recordedAt", "device", "day"])
    let faults = object.finish()
    guard faults.isEmpty, let id, let edit else {
      let invalid = Rejection(.invalid, Rejection.invalidEdit, faults: faults)
      return .refused(invalid, id: id, sent: sent?.shortText)
    }
    if let refusal = edit.refusal {
      return .refused(refusal, id: id, sent: sent?.shortText)
    }
    return .edit(
      ProposedEdit(
        id: id, at: at, day: edit.day, edit: edit.edit, lacksGoalID: edit.lacksGoalID))
  }

  struct Read {
    var edit: Edit
    /// For `bump` and `skip`: the day that is named.
    var day: Day?
    var lacksGoalID = false
    /// The reason for refusing an edit whose form is right.
    var refusal: Rejection?
  }

  /// Reads the edit's type and the fields of that type; nil where the reader has added a fault.
  func readEdit(from object: inout ObjectReader) -> Read? {
    guard
      let type = object.required(
        "type",
        Reading("there is no such type of edit") { $0.withShortText { EditType(utf8: $0) } })
    else {
      // Without the type, the other fields have no rules.
      object.passOverRest()
      return nil
    }
    switch type {
    case .add: return readAdd(from: &object)
    case .delete: return object.goalID().map { Read(edit: Edit(.delete($0))) }
    case .update:
      return object.validated("goal") { Goal.read($0, at: $1, id: .required) }
        .map { Read(edit: Edit(.update($0))) }
    case .alter: return readAlter(from: &object)
    case .setActivity:
      return object.validated("activity", Activity.read).map { Read(edit: Edit(.setActivity($0))) }
    case .move:
      let goal = object.goalID()
      let before = object.required("before", Reading<Goal.ID>.id().orNull)
      guard let goal, let before else { return nil }
      return Read(edit: Edit(.move(goal, before: before)))
    case .bump: return readBump(from: &object)
    case .skip: return readSkip(from: &object)
    case .configure: return CalendarSettings.Changes.read(from: &object, defaults: nil)
    case .undo:
      return (object.required("edit", .id()) as Edit.ID?).map { Read(edit: Edit(.undo($0))) }
    }
  }

  private func readAdd(from object: inout ObjectReader) -> Read? {
    var lacksID = false
    let goal = object.validated("goal") { value, pointer in
      lacksID = !Goal.namesID(value)
      return lacksID
        ? Goal.read(value, at: pointer, id: .optional(otherwise: makeGoalID()))
        : Goal.read(value, at: pointer, id: .required)
    }
    return goal.map { Read(edit: Edit(.add($0)), lacksGoalID: lacksID) }
  }

  private func readAlter(from object: inout ObjectReader) -> Read? {
    let goal = object.goalID()
    let changes = object.validated("changes", Goal.Changes.read)
    guard let goal, let changes else { return nil }
    return Read(edit: Edit(.alter(goal, changes)))
  }

  private func readBump(from object: inout ObjectReader) -> Read? {
    let goal = object.goalID()
    let by = object.optional("by", .increment)
    let note = object.optional("note", .note)
    let day = object.optional("day", .day)
    return goal.map { Read(edit: Edit(.bump($0, by: by ?? .one, note: note)), day: day) }
  }

  private func readSkip(from object: inout ObjectReader) -> Read? {
    let goal = object.goalID()
    let day = object.optional("day", .day)
    return goal.map { Read(edit: Edit(.skip($0)), day: day) }
  }
}

extension EditType {
  /// The type with this name, found without making a string.
  fileprivate init?(utf8 name: UnsafeRawBufferPointer) {
    guard let type = Self.allCases.first(where: { $0.rawValue.utf8.elementsEqual(name) }) else {
      return nil
    }
    self = type
  }
}

extension Activity {
  /// Reads an `activity`: an object keyed by goals, or an array in list order.
  package static func read(_ value: JSONValue, at pointer: JSONPointer) -> Validated<Activity> {
    if isTooLong(value) {
      let detail = "an activity is of at most \(AccountState.maximumGoalsEverMade) goals"
      return .invalid([Fault(pointer: pointer.description, detail: detail)])
    }
    if let elements = value.elements {
      var faults: [Fault] = []
      let values = elements.enumerated().map { index, element in
        if element.bool == nil {
          faults.append(
            Fault(pointer: pointer[index].description, detail: Reading<Bool>.flag.rule),
            at: pointer)
        }
        return element.bool ?? false
      }
      return faults.isEmpty ? .valid(.listed(values)) : .invalid(faults)
    }
    guard let members = value.members else {
      let detail = "an object keyed by goals, or an array in list order, is expected"
      return .invalid([Fault(pointer: pointer.description, detail: detail)])
    }
    return readKeyed(members, at: pointer)
  }

  /// Whether the activity has more goals than an account can ever have. It gets one fault then, not
  /// one for each of a million goals.
  private static func isTooLong(_ value: JSONValue) -> Bool {
    let limit = AccountState.maximumGoalsEverMade
    let isLong = { (count: Int) in count > limit }
    return value.elements.map { isLong($0.prefix(limit + 1).reduce(0) { count, _ in count + 1 }) }
      ?? value.members.map { isLong($0.prefix(limit + 1).reduce(0) { count, _ in count + 1 }) }
      ?? false
  }

  private static func readKeyed(
    _ members: JSONMembers, at pointer: JSONPointer
  ) -> Validated<Activity> {
    var faults: [Fault] = []
    var seen: Set<Goal.ID> = []
    var elements: [KeyedActivity.Element] = []
    for (name, value) in members {
      let add = { (detail: String) in
        faults.append(
          Fault(pointer: pointer[String(name)].description, detail: detail), at: pointer)
      }
      let isShort = name.encodedCount <= ObjectReader.maximumNameBytes
      let id = isShort ? name.withUTF8 { Goal.ID(utf8: $0) } : nil
      if let id {
        if !seen.insert(id).inserted { add("the goal is there twice") }
      } else {
        add("the key is not a goal's id, a UUID")
      }
      if let isActive = value.bool, let id {
        elements.append(KeyedActivity.Element(goal: id, isActive: isActive))
      } else if value.bool == nil {
        add(Reading<Bool>.flag.rule)
      }
    }
    return faults.isEmpty ? .valid(.keyed(KeyedActivity(elements))) : .invalid(faults)
  }
}

extension CalendarSettings.Changes {
  /// Reads the fields of a merge patch (RFC 7396), in which null stands for a setting's default;
  /// without defaults it is a fault. Nil where the reader has added a fault.
  package static func readPatch(
    from object: inout ObjectReader, defaults: CalendarSettings?
  ) -> Result<CalendarSettings.Changes, Rejection>? {
    guard let read = read(from: &object, defaults: defaults),
      case .account(.configure(let changes)) = read.edit
    else { return nil }
    return read.refusal.map { .failure($0) } ?? .success(changes)
  }

  /// Reads the fields of a `configure`, of which null stands for its default, if there are any.
  static func read(
    from object: inout ObjectReader, defaults: CalendarSettings?
  ) -> ProposalReader.Read? {
    let count = object.faults.count
    let zone = object.setting("timeZone", .string, or: defaults?.timeZone.text)
    let weekStart = object.setting("weekStart", .weekday, or: defaults?.weekStart)
    let dayStart = object.setting("dayStart", .dayStart, or: defaults?.dayStart)
    guard object.faults.count == count else { return nil }
    let changes = CalendarSettings.Changes(
      timeZone: zone.flatMap { ZoneName($0) }, weekStart: weekStart, dayStart: dayStart)
    let isUnknown = zone != nil && changes.timeZone == nil
    return ProposalReader.Read(
      edit: Edit(.configure(changes)), refusal: isUnknown ? .unknownTimeZone : nil)
  }
}

extension ObjectReader {
  fileprivate mutating func goalID() -> Goal.ID? { required("goal", .id()) }

  fileprivate mutating func setting<Value>(
    _ name: StaticString, _ reading: Reading<Value>, or standard: Value?
  ) -> Value? {
    guard let standard else { return optional(name, reading) }
    return optional(name, reading.orNull).map { $0 ?? standard }
  }

  /// Takes a field and reads it by a function that reports faults at their own pointers.
  package mutating func validated<Value>(
    _ name: StaticString, isOptional: Bool = false,
    _ read: (JSONValue, JSONPointer) -> Validated<Value>
  ) -> Value? {
    guard let value = take(name) else {
      if isObject, !isOptional { add("\(name) is missing", at: name) }
      return nil
    }
    switch read(value, pointer["\(name)"]) {
    case .valid(let value): return value
    case .invalid(let faults):
      add(faults)
      return nil
    }
  }
}
