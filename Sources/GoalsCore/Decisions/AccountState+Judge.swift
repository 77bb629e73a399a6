/// The judgement of an edit.
public enum Verdict: Hashable, Sendable {
  /// It is valid, and this is its entry of the log.
  case record(RecordedEdit)
  /// The same edit was recorded before.
  case duplicate(RecordedEdit)
  /// Valid, but no present value would change.
  case unchanged
  /// It breaks a rule, or does not fit the state.
  case reject(Rejection)
  /// The edit can't be decided now: a time zone that it needs is not available.
  case noCalendar
}

extension AccountState {
  /// The largest number of goals in a list, unless the operator sets another.
  public static let maximumGoals = 1000
  /// The largest number of goals ever made in an account. Deleted goals keep their ids and history.
  public static let maximumGoalsEverMade = 10_000
  /// The largest size of an account's log in bytes, unless the operator sets another: 256 MiB, some
  /// 700,000 bumps.
  public static let maximumLogBytes = 268_435_456
  /// The same of an account that was made by sign-up: 8 MiB, some 20,000 bumps.
  public static let maximumSignUpLogBytes = 8_388_608
  /// The largest number of goals that the edits of a batch name. Each edit counts for itself: an
  /// activity of 1,000 goals counts 1,000, and so does an undo of it. This many goals take some 50
  /// ms of the writer's time.
  public static let maximumGoalsNamed = 50_000
  /// How far a device's clock may be ahead of the server's: 5 minutes.
  public static let clockTolerance: Int64 = 5 * 60 * 1000
  /// The earliest `at`: 2000-01-01T00:00:00Z.
  public static let earliest = Instant(milliseconds: 946_684_800_000)

  /// Judges one edit. Pure and total: the same arguments give the same verdict everywhere.
  ///
  /// It checks whether the id is recorded, then `at`, then the edit itself.
  public func judge(
    _ proposed: ProposedEdit, from device: String, by circumstances: Circumstances
  ) -> Verdict {
    if let recorded = circumstances.recorded[proposed.id] {
      return proposed.matches(recorded)
        ? .duplicate(recorded) : .reject(.idConflict(recorded.version))
    }
    let at = proposed.at ?? circumstances.now
    if at.milliseconds > circumstances.now.milliseconds &+ Self.clockTolerance {
      return .reject(.inFuture)
    }
    if at < Self.earliest { return .reject(.tooOld) }
    do throws(Rejection) {
      let plan: Plan
      switch try self.plan(for: proposed, at: at, by: circumstances) {
      case .record(let made): plan = made
      case .unchanged: return .unchanged
      case .noCalendar: return .noCalendar
      }
      let recorded = RecordedEdit(
        version: version.next, id: proposed.id, at: at,
        recordedAt: max(circumstances.now, recordedAt ?? circumstances.now), device: device,
        edit: plan.edit, day: plan.day, undone: plan.undone, reversal: { $0.reversal(in: self) })
      // The initializer returns nil only for an activity that the plan did not key.
      guard let recorded else { return .reject(.versionRequired) }
      if let limit = recorded.effect.memoryLimit(in: self, at: at) { throw Rejection(limit) }
      return .record(recorded)
    } catch {
      return .reject(error)
    }
  }

  /// An edit as it will be recorded.
  private struct Plan {
    var edit: Edit
    var day: Day?
    var undone: RecordedEdit.Undone?
  }

  /// The plan for an edit that is not rejected.
  private enum Planned {
    case record(Plan)
    /// No present value would change.
    case unchanged
    case noCalendar
  }

  private func plan(
    for proposed: ProposedEdit, at instant: Instant, by circumstances: Circumstances
  ) throws(Rejection) -> Planned {
    let edit = proposed.edit
    switch edit {
    case .goal(let goalEdit):
      let edit = try plan(for: goalEdit, limit: circumstances.maximumGoals)
      return edit.map { .record(Plan(edit: $0)) } ?? .unchanged
    case .progress(let progressEdit):
      guard let calendar = circumstances.zones.calendar(calendar) else { return .noCalendar }
      let day = try calendar.day(of: instant, orNamed: proposed.day)
      guard try allows(progressEdit, on: day, at: instant, in: calendar) else { return .unchanged }
      return .record(Plan(edit: edit, day: day))
    case .account(.configure(let changes)):
      guard try knows(changes, circumstances.zones, otherwise: .unknownTimeZone) else {
        return .noCalendar
      }
      return calendar.changed(by: changes) == calendar ? .unchanged : .record(Plan(edit: edit))
    case .account(.undo(let id)):
      let undone = try undoing(
        id, among: circumstances.recorded, limit: circumstances.maximumGoals)
      if case .configure(let changes) = undone.effect {
        guard try knows(changes, circumstances.zones, otherwise: .zoneGone) else {
          return .noCalendar
        }
      }
      // Only the undo of a move can change nothing: its goal may be back in its old place.
      return undone.effect.changesNothing(in: self)
        ? .unchanged : .record(Plan(edit: edit, undone: undone))
    }
  }

  /// Whether the time zone that the changes name is available; true where they name none. Throws
  /// the rejection where the database has no such zone, since nothing could be counted in it.
  private func knows(
    _ changes: CalendarSettings.Changes, _ zones: Zones, otherwise rejection: Rejection
  ) throws(Rejection) -> Bool {
    guard let name = changes.timeZone else { return true }
    switch zones[name] {
    case .found: return true
    case .unknown: throw rejection
    case .unavailable: return false
    }
  }

  /// The edit to record, with an activity keyed in list order; nil where nothing would change.
  private func plan(for edit: GoalEdit, limit: Int) throws(Rejection) -> Edit? {
    switch edit {
    case .add(let goal):
      if let known = roster.goal(goal.id) {
        guard !known.isDeleted, known.goal == goal else { throw .goalExists }
        return nil
      }
      try checkRoom(forNew: true, limit: limit)
    case .delete(let id):
      _ = try listed(id)
    case .update(let goal):
      if try listed(goal.id).goal == goal { return nil }
    case .alter(let id, let changes):
      let goal = try listed(id).goal
      if goal.alter(by: changes) == goal { return nil }
    case .setActivity(let activity):
      let keyed = try keyed(activity)
      if let missing = keyed.elements.first(where: { roster.isActive($0.goal) == nil }) {
        throw .unknownGoal(missing.goal)
      }
      if Effect.setActivity(keyed).changesNothing(in: self) { return nil }
      return Edit(.setActivity(.keyed(keyed.ordered(in: roster))))
    case .move(let id, let successor):
      _ = try listed(id)
      if let successor { _ = try listed(successor) }
      if Effect.move(id, before: successor).changesNothing(in: self) { return nil }
    }
    return Edit(edit)
  }

  /// Whether a bump or skip would change anything.
  private func allows(
    _ edit: ProgressEdit, on day: Day, at instant: Instant, in calendar: GoalCalendar
  ) throws(Rejection) -> Bool {
    switch edit {
    case .bump(let id, let increment, _):
      try checkCount(of: id, on: day, plus: increment, at: instant)
      return true
    case .skip(let id):
      return try active(id, at: instant) { goal in
        let period = calendar.period(of: goal.goal.interval, holding: day)
        return !goal.days.tally(in: period).isExcused
      }
    }
  }

  private func checkCount(
    of id: Goal.ID, on day: Day, plus increment: Increment, at instant: Instant
  ) throws(Rejection) {
    let count = try active(id, at: instant) { $0.days[day].count }
    guard count.adding(atMost: increment.value) >= 0 else { throw .belowZero(count) }
  }

  /// The reason why an edit can't have been recorded on this state; nil where it can.
  ///
  /// Imports call this. It checks the edit's goals, counts and undo chain, and the maxima of the
  /// list and of timelines. It does not check instants and days: the server that recorded the edit
  /// had its own clock and its own time zones.
  public func refutation(
    of edit: RecordedEdit, among recorded: RecordedEdits, maximumGoals: Int
  ) -> Rejection? {
    do throws(Rejection) {
      switch edit.edit {
      case .goal(let goalEdit):
        _ = try plan(for: goalEdit, limit: maximumGoals)
      case .progress(.bump(let id, let increment, _)):
        if let day = edit.day { try checkCount(of: id, on: day, plus: increment, at: edit.at) }
      case .progress(.skip(let id)):
        try active(id, at: edit.at) { _ in }
      case .account(.configure): break
      case .account(.undo(let id)):
        _ = try undoing(id, among: recorded, limit: maximumGoals)
      }
      return edit.effect.memoryLimit(in: self, at: edit.at).map { Rejection($0) }
    } catch {
      return error
    }
  }

  private func keyed(_ activity: Activity) throws(Rejection) -> KeyedActivity {
    switch activity {
    case .keyed(let keyed):
      return keyed
    case .listed(let values):
      guard values.count == roster.count else {
        throw .activityMismatch(values.count, roster.count)
      }
      return KeyedActivity(
        unique: zip(roster.ids, values).map { KeyedActivity.Element(goal: $0, isActive: $1) })
    }
  }

  private func undoing(
    _ id: Edit.ID, among recorded: RecordedEdits, limit: Int
  ) throws(Rejection) -> RecordedEdit.Undone {
    guard let target = recorded[id] else { throw .unknownEdit }
    if let chain = recorded.chain(from: target.root) {
      guard target.version == chain.latest || (target.version == target.root && !chain.isUndone)
      else { throw .undoneAlready }
    }
    let reversal = recorded.reversal(of: target)
    if let standing = reversal.standing, !standing.changesNothing(in: self) { throw .overtaken }
    switch reversal.effect {
    case .restore(let id, _):
      guard roster.goal(id)?.isDeleted == true else { throw .overtaken }
      try checkRoom(forNew: false, limit: limit)
    case .count(let id, let day, let amount, _, _):
      guard let goal = roster.listed(id) else { throw .goalGone }
      guard goal.days[day].count.adding(atMost: amount) >= 0 else { throw .overtaken }
    case .insert, .remove, .alter, .setActivity, .move, .excuse, .configure:
      guard reversal.effect.goals.allSatisfy({ roster.isActive($0) != nil }) else {
        throw .goalGone
      }
    }
    return RecordedEdit.Undone(root: target.root, effect: reversal.effect)
  }

  private func listed(_ id: Goal.ID) throws(Rejection) -> TrackedGoal {
    guard let goal = roster.listed(id) else { throw .unknownGoal(id) }
    return goal
  }

  /// The result of `look` at a goal that is active now, or was at that instant.
  private func active<Value>(
    _ id: Goal.ID, at instant: Instant, _ look: (borrowing TrackedGoal) -> Value
  ) throws(Rejection) -> Value {
    let seen = roster.look(at: id) { goal -> Result<Value, Rejection> in
      if goal.isDeleted { return .failure(.unknownGoal(id)) }
      guard goal.isActive || goal.isThere(at: instant) else { return .failure(.inactiveGoal) }
      return .success(look(goal))
    }
    guard let seen else { throw .unknownGoal(id) }
    return try seen.get()
  }

  private func checkRoom(forNew isNew: Bool, limit: Int) throws(Rejection) {
    guard roster.count < limit else { throw .listFull(limit) }
    guard !isNew || roster.everMade < Self.maximumGoalsEverMade else { throw .noMoreGoals }
  }
}

extension GoalCalendar {
  /// The day on which an edit of this instant counts: the day that it names, or else the instant's
  /// own. A named day is at most one day from the instant's own, since no phone shows another.
  fileprivate func day(of instant: Instant, orNamed named: Day?) throws(Rejection) -> Day {
    let day = day(of: instant)
    guard let named, named != day else { return day }
    guard abs(named.days(since: day)) <= 1 else { throw .tooFar(from: day) }
    guard exists(named) else { throw .noSuchDay(named) }
    return named
  }
}
