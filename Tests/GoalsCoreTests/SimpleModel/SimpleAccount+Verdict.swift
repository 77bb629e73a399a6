import GoalsCore

/// What is to become of an edit, by the simple model.
enum SimpleVerdict {
  case record(SimpleEntry)
  /// With the version at which it was applied before.
  case duplicate(Int)
  case unchanged
  /// Any of these codes: "where several codes apply, any of them may be given".
  case reject(Set<Rejection.Code>)
}

/// What an edit is judged by besides the log.
struct SimpleCircumstances {
  let now: Instant
  let device: String
  let maximumGoals: Int
  let clocks: SimpleClocks
}

extension SimpleAccount {
  /// "A recorded id is looked at first, then `at`", then the edit itself.
  func verdict(on proposed: ProposedEdit, by given: SimpleCircumstances) -> SimpleVerdict {
    if let entry = log.entry(proposed.id) {
      return proposed.asks(for: entry) ? .duplicate(entry.version) : .reject([.idConflict])
    }
    let at = proposed.at ?? given.now
    if at.milliseconds > given.now.milliseconds + 5 * SimpleClock.minute {
      return .reject([.inFuture])
    }
    if at < SimpleClocks.earliest { return .reject([.tooOld]) }

    let calendar = given.clocks.calendar(settings)
    var day: Int?
    var codes: Set<Rejection.Code> = []
    if case .progress = proposed.edit {
      let own = calendar.clock.day(of: at)
      let meant = proposed.day.map { Int($0.number) } ?? own
      if !(own - 1...own + 1).contains(meant) || !calendar.clock.exists(meant) {
        codes.insert(.invalid)
      }
      day = meant
    }
    codes.formUnion(faults(of: proposed.edit, at: at, on: day ?? 0, by: given))
    if !codes.isEmpty { return .reject(codes) }
    if isUnchanged(by: proposed.edit, on: day ?? 0, in: calendar) { return .unchanged }
    return .record(
      SimpleEntry(
        version: log.entries.count + 1, id: proposed.id, at: at,
        recordedAt: max(given.now, log.entries.last?.recordedAt ?? given.now), device: given.device,
        edit: spelledOut(proposed.edit), day: day, undone: undone(by: proposed.edit)))
  }

  private func undone(by edit: Edit) -> Int? {
    guard case .account(.undo(let id)) = edit, let target = log.entry(id) else { return nil }
    return log.undoable(target)?.version
  }
}

extension SimpleClocks {
  /// 2000-01-01T00:00:00Z: 30 years after 1970, seven of them leap years.
  static let earliest = Instant(milliseconds: Int64(30 * 365 + 7) * SimpleClock.date)
}

extension ProposedEdit {
  /// "Same content": what was left out matches what was filled in then.
  fileprivate func asks(for entry: SimpleEntry) -> Bool {
    guard at == nil || at == entry.at else { return false }
    guard day == nil || day.map({ Int($0.number) }) == entry.day else { return false }
    switch (edit, entry.edit) {
    case (.goal(.setActivity(.listed(let values))), .goal(.setActivity(.keyed(let activity)))):
      return values == activity.elements.map(\.isActive)
    case (.goal(.add(let one)), .goal(.add(let other))) where lacksGoalID:
      let sameID = Goal(
        id: other.id, title: one.title, colour: one.colour, interval: one.interval,
        frequency: one.frequency, unit: one.unit)
      return sameID == other
    case (.goal(.setActivity(.keyed(let one))), .goal(.setActivity(.keyed(let other))))
    where lacksGoalID:
      return one.elements.map(\.isActive) == other.elements.map(\.isActive)
    case (.goal, _), (.progress, _), (.account, _): return edit == entry.edit
    }
  }
}

extension SimpleAccount {
  /// The edit with every default, and with an activity keyed in list order.
  fileprivate func spelledOut(_ edit: Edit) -> Edit {
    guard case .goal(.setActivity(let activity)) = edit else { return edit }
    let entries = list.compactMap { id in
      wanted(activity).first { $0.goal == id }.map {
        KeyedActivity.Element(goal: id, isActive: $0.isActive)
      }
    }
    return Edit(.setActivity(.keyed(KeyedActivity(entries))))
  }

  private func wanted(_ activity: Activity) -> [(goal: Goal.ID, isActive: Bool)] {
    switch activity {
    case .keyed(let keyed): keyed.elements.map { ($0.goal, $0.isActive) }
    case .listed(let values): Array(zip(list, values)).map { ($0, $1) }
    }
  }

  /// Whether a valid edit would change no present value.
  fileprivate func isUnchanged(
    by edit: Edit, on day: Int, in calendar: SimpleCalendar
  ) -> Bool {
    switch edit {
    case .goal(.add(let goal)): goals[goal.id] != nil
    case .goal(.delete): false
    case .goal(.update(let goal)): goals[goal.id]?.goal == goal
    case .goal(.alter(let id, let changes)): goals[id]?.goal == goals[id]?.goal.with(changes)
    case .goal(.setActivity(let activity)):
      wanted(activity).allSatisfy { goals[$0.goal]?.activity.present == $0.isActive }
    case .goal(.move(let id, let before)): before == id || before == successor(of: id)
    case .progress(.bump): false
    case .progress(.skip(let id)): isExcused(id, around: day, in: calendar)
    case .account(.configure(let changes)): settings == settings.with(changes)
    case .account(.undo(let id)): isInPlace(afterUndoing: id)
    }
  }

  /// Whether what an undo would move is there already; nothing else that can be undone comes to
  /// nothing.
  private func isInPlace(afterUndoing id: Edit.ID) -> Bool {
    guard let target = log.entry(id), let undone = log.undoable(target),
      case .goal(.move(let goal, _)) = log.chain(to: undone).root.edit
    else { return false }
    let old = deeds[undone.version - 1].successor
    return successor(of: goal) == old.flatMap { list.contains($0) ? $0 : nil }
  }

  private func isExcused(_ id: Goal.ID, around day: Int, in calendar: SimpleCalendar) -> Bool {
    guard let goal = goals[id] else { return false }
    let period = calendar.period(of: goal.goal.interval, holding: day)
    return excusedDays(of: id).contains(where: period.contains)
  }
}
