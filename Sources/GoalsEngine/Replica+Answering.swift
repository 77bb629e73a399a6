import GoalsCore
import GoalsReplica
import GoalsWire
import JSON

extension Message {
  enum QuestionName: String {
    case goals, history, judge, kept, screen
  }
}

/// The questions of a shell. They change nothing.
extension Replica {
  func answer(
    _ message: inout Message, counting streaks: inout StreakCounts
  ) throws(MessageError) -> [UInt8] {
    let name = try message.name(Message.QuestionName.self)
    let now = try message.now()
    switch name {
    case .goals:
      let id = message.line.optional("goal", Reading<Goal.ID>.id().orNull) ?? nil
      try message.finish()
      return goalsJSON(of: id, at: now, counting: &streaks)
    case .history:
      let history = try history(asked: &message, at: now, counting: &streaks)
      return JSONWriter.bytes { json in
        json.value(history)
      }
    case .judge: return try judgement(asked: &message, at: now)
    case .kept:
      try message.finish()
      return kept.line
    case .screen: return try screen(asked: &message)
    }
  }

  // MARK: Goals

  /// - Parameter id: the only goal that is asked for; nil: all of the list.
  private func goalsJSON(
    of id: Goal.ID?, at now: Instant, counting streaks: inout StreakCounts
  ) -> [UInt8] {
    var waiting: [Goal.ID: Int] = [:]
    for own in queue {
      for goal in own.proposed.edit.goals { waiting[goal, default: 0] += 1 }
    }
    let now = corrected(now)
    let goals = zones.calendar(shown.calendar).map { calendar -> [Goals.Item] in
      guard let id else { return shown.goals(at: now, in: calendar, counting: &streaks).items }
      let item = item(of: id, at: now, in: calendar, counting: &streaks)
      return item.map { [$0] } ?? []
    }
    return JSONWriter.bytes(reserving: 512 + 400 * shown.roster.count) { json in
      json.object { json in
        json.member("version", kept.state.version)
        if let goals {
          json.array("goals") { json in
            for item in goals {
              json.object { json in
                item.writeMembers(to: &json)
                json.member("waiting", waiting[item.goal.id] ?? 0)
              }
            }
          }
        } else {
          json.member("goals") { $0.null() }
        }
        json.member("standing", standing)
        json.member("isCatchingUp", isCatchingUp)
        json.member("pending", queue)
        json.member("rejected", rejected)
        json.object("gone") { writeTitlesOfGone(to: &$0) }
        json.member("calendar", shown.calendar)
        json.member("account", kept.identity?.account)
        json.member("clockOffset", clockOffset)
      }
    }
  }

  /// A goal as the list has it; nil where it is not in the list.
  private func item(
    of id: Goal.ID, at now: Instant, in calendar: GoalCalendar, counting streaks: inout StreakCounts
  ) -> Goals.Item? {
    var reader = GoalsReader(of: id, in: shown, at: now, in: calendar)
    var steps = Int.max
    return reader?.read(&steps, counting: &streaks)?.items.first
  }

  /// Writes the titles of deleted goals that edits of this device name into the open object.
  private func writeTitlesOfGone(to json: inout JSONWriter) {
    var seen: Set<Goal.ID> = []
    for own in kept.own.all {
      if case .recorded = own.standing { continue }
      for id in own.proposed.edit.goals where seen.insert(id).inserted {
        guard let goal = shown.roster.goal(id), goal.isDeleted else { continue }
        json.member(named: id, goal.goal.title)
      }
    }
  }

  // MARK: History

  private func history(
    asked message: inout Message, at now: Instant, counting streaks: inout StreakCounts
  ) throws(MessageError) -> GoalHistory {
    let id = try message.required("goal", .id()) as Goal.ID
    let window = HistoryWindow(
      from: message.line.optional("from", Reading.day.orNull) ?? nil,
      to: message.line.optional("to", Reading.day.orNull) ?? nil)
    try message.finish()
    let now = corrected(now)
    guard let calendar = zones.calendar(shown.calendar) else {
      throw MessageError("The account's time zone is not there yet.")
    }
    guard let goal = shown.roster.listed(id),
      let item = item(of: id, at: now, in: calendar, counting: &streaks)
    else { throw MessageError([Fault(pointer: "/goal", detail: "there is no such goal")]) }
    guard let days = window.days(today: calendar.day(of: now)) else {
      let detail = "from has to be before to, by \(window.maximum) days at most"
      throw MessageError([Fault(pointer: window.from == nil ? "/to" : "/from", detail: detail)])
    }
    return goal.history(of: days, at: now, in: calendar, item.streak)
  }

  // MARK: Edits

  private func judgement(
    asked message: inout Message, at now: Instant
  ) throws(MessageError) -> [UInt8] {
    let proposals = try message.edits()
    let edits = proposals.compactMap { if case .edit(let edit) = $0 { edit } else { nil } }
    let ids = lookUps(for: .edited(edits))
    let known = message.known(of: ids, in: kept)
    try message.finish()
    if known == nil, !ids.isEmpty { return lookUp(ids) }
    guard let outcomes = outcomes(of: proposals, at: now, known: known ?? RecordedEdits()) else {
      throw MessageError("The account's time zone is not there yet.")
    }
    return JSONWriter.bytes { json in
      json.object { json in
        json.array("outcomes") { json in
          for (index, outcome) in outcomes.enumerated() {
            outcome.write(to: &json, edit: JSONPointer.root["edits"][index])
          }
        }
      }
    }
  }

  // MARK: Screens

  private func screen(asked message: inout Message) throws(MessageError) -> [UInt8] {
    let state = try message.required("state", .screen)
    let step = try message.required("step", .step)
    try message.finish()
    let list = shown.roster.list.map { (goal: $0.goal.id, isActive: $0.isActive) }
    let after = state.after(step, in: list)
    return JSONWriter.bytes { json in
      json.object { json in
        json.member("state", after.state)
        if let edit = after.edit.map({ Edit($0) }) {
          json.object("edit") { json in
            json.member("type", edit.type.rawValue)
            edit.writeMembers(to: &json)
          }
        } else {
          json.member("edit") { $0.null() }
        }
      }
    }
  }
}

extension Edit {
  /// The goals that the edit names. An `undo` names none.
  fileprivate var goals: [Goal.ID] {
    switch self {
    case .goal(.add(let goal)), .goal(.update(let goal)): [goal.id]
    case .goal(.delete(let id)), .goal(.alter(let id, _)), .goal(.move(let id, _)): [id]
    case .goal(.setActivity(.keyed(let activity))): activity.elements.map { $0.goal }
    case .goal(.setActivity(.listed)): []
    case .progress(.bump(let id, _, _)), .progress(.skip(let id)): [id]
    case .account: []
    }
  }
}

extension GoalsEditState: JSONWritable {
  /// Writes `"displaying"`, or `{"editing": {goal: isActive}}`.
  package func write(to json: inout JSONWriter) {
    switch self {
    case .displaying: json.value("displaying")
    case .editing(let activity): json.object { $0.member("editing", activity) }
    }
  }
}

extension Reading where Value == GoalsEditState {
  fileprivate static var screen: Reading {
    Reading("displaying, or an object with editing, is expected") { value in
      if value.string.map({ $0 == "displaying" }) ?? false { return .displaying }
      var object = ObjectReader(value)
      guard case .keyed(let activity)? = object.validated("editing", Activity.read),
        object.finish().isEmpty
      else { return nil }
      return .editing(activity)
    }
  }
}

extension Reading where Value == GoalsEditState.Step {
  fileprivate static var step: Reading {
    Reading("edit, save, cancel, or an object with toggle, is expected") { value in
      if let name = value.string {
        switch name {
        case "edit": return .edit
        case "save": return .save
        case "cancel": return .cancel
        // NB: open, a text
        default: return nil
        }
      }
      var object = ObjectReader(value)
      let goal = object.required("toggle", .id()) as Goal.ID?
      return object.finish().isEmpty ? goal.map { .toggle($0) } : nil
    }
  }
}
