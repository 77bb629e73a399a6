import GoalsCore

/// The person's edits: how they come, are kept, and are shown before the server has decided.
extension Replica {
  mutating func edit(_ edits: [ProposedEdit], _ step: inout Step) {
    if case .loading = link.doing {
      return step.tell(.notKept(edits.map { $0.id }))
    }
    let server = corrected(step.now)
    pending.add(step.known)
    var circumstances = Circumstances(now: server, zones: zones, recorded: pending)
    pending = RecordedEdits()
    var delta = Delta()
    var unchanged: [Edit.ID] = []
    for edit in edits where kept.own[edit.id] == nil {
      let proposed = edit.at(edit.at ?? server, on: edit.day)
      switch shown.take(proposed, from: "", by: &circumstances) {
      case .record, .noCalendar:
        delta.own.append(OwnEdit(proposed))
        if !hasHeard, edit.at == nil, edit.day == nil { guessed.insert(edit.id) }
      case .unchanged: unchanged.append(edit.id)
      case .reject(let rejection): step.tell(.rejected(edit, rejection, wasKept: false))
      case .duplicate: break
      }
    }
    pending = circumstances.recorded
    if !unchanged.isEmpty { step.tell(.unchanged(unchanged)) }
    guard !delta.own.isEmpty else { return }
    keep(delta, &step)
    for own in delta.own { unkept[own.id] = lastDelta }
    step.goal = edits.onlyGoal
    step.shows = step.goal == nil
  }

  /// What the server would answer to these edits now, as far as the device can know; nil where it
  /// does not have the account's time zone. An edit without `at` is made now.
  ///
  /// - Parameter known: the recorded edits that `lookUps(for:)` names for them.
  public func outcomes(
    of edits: [Proposal], at now: Instant, known: RecordedEdits = RecordedEdits()
  ) -> [Outcome]? {
    var recorded = pending
    recorded.add(known)
    let circumstances = Circumstances(
      now: corrected(now), zones: zones, recorded: recorded)
    let batch = Batch(device: "", proposals: edits, isDryRun: true, shows: .nothing)
    let ruling = shown.judge(batch, chain: nil, by: circumstances)
    return ruling.result == .decided ? ruling.outcomes : nil
  }

  mutating func dismiss(_ ids: [Edit.ID], _ step: inout Step) {
    var delta = Delta()
    delta.forgotten = Set(
      ids.filter { if case .rejected? = kept.own[$0]?.standing { true } else { false } })
    guard !delta.forgotten.isEmpty else { return }
    keep(delta, &step)
    step.shows = true
  }

  // MARK: Keeping

  /// Applies a change, and orders it to be kept.
  mutating func keep(_ delta: Delta, _ step: inout Step) {
    guard !delta.isEmpty else { return }
    kept.apply(delta)
    lastDelta += 1
    step.decisions.append(.keep(delta, lastDelta))
  }

  mutating func confirm(_ number: Int) {
    unkept = unkept.filter { $0.value > number }
  }

  /// The device did not keep a change. The edits that it held are withdrawn: the person is told,
  /// and they are not sent.
  mutating func withdraw(_ number: Int, _ step: inout Step) {
    let lost = kept.own.all.map { $0.id }.filter { unkept[$0].map { $0 <= number } ?? false }
    guard !lost.isEmpty else { return }
    for id in lost { unkept[id] = nil }
    var delta = Delta()
    delta.forgotten = Set(lost)
    keep(delta, &step)
    step.tell(.notKept(lost))
    step.rebases = true
  }

  // MARK: Showing

  /// Folds the queue onto the log's state again. While the log is read from its start, the shown
  /// state stays as it was.
  mutating func rebase(_ step: inout Step) {
    if !link.isCatchingUp { earlier = nil }
    guard !link.isCatchingUp || shown.version == .none || earlier != nil else { return }
    shown = earlier ?? kept.state
    var circumstances = Circumstances(
      now: corrected(step.now), zones: zones, recorded: step.known)
    for own in kept.own.all where own.isPending {
      _ = shown.take(own.proposed, from: "", by: &circumstances)
    }
    pending = circumstances.recorded
    step.shows = true
  }

  // MARK: Clocks

  /// The server's time at the device's present time: that of new edits, and of what is shown.
  public func corrected(_ now: Instant) -> Instant { now.adding(milliseconds: clockOffset) }

  /// Compares the device's clock with the server's. New edits are corrected by the difference, and
  /// those that were made before the server was first heard.
  mutating func compareClocks(_ date: Instant?, _ step: inout Step) {
    guard let date else { return }
    let offset = date.milliseconds.subtractingReportingOverflow(step.now.milliseconds)
    let isOff = offset.overflow || offset.partialValue.magnitude > UInt64(Self.clockTolerance)
    let corrected = isOff && !offset.overflow ? offset.partialValue : 0
    if corrected != 0, clockOffset == 0 || !hasHeard { step.tell(.clockIsOff(by: corrected)) }
    let change = corrected.subtractingReportingOverflow(clockOffset)
    clockOffset = corrected
    if !change.overflow { correctGuesses(by: change.partialValue, &step) }
    hasHeard = true
    // Another day may be the present one.
    if change.overflow || change.partialValue.magnitude > UInt64(Self.clockTolerance) {
      step.rebases = true
    }
  }

  /// These edits were made in another process, when nobody had compared the device's clock as it is
  /// set now, and were not sent.
  public mutating func guess(_ edits: some Sequence<Edit.ID>) {
    if !hasHeard { guessed.formUnion(edits) }
  }

  /// Nobody has seen these edits: none was sent.
  private mutating func correctGuesses(by milliseconds: Int64, _ step: inout Step) {
    defer { guessed = [] }
    guard milliseconds != 0 else { return }
    var delta = Delta()
    for own in kept.own.all where guessed.contains(own.id) {
      guard own.standing == .due, let at = own.proposed.at else { continue }
      var corrected = own
      corrected.proposed = own.proposed.at(at.adding(milliseconds: milliseconds))
      delta.own.append(corrected)
    }
    keep(delta, &step)
  }
}

extension ProposedEdit {
  func at(_ instant: Instant, on day: Day? = nil) -> ProposedEdit {
    ProposedEdit(id: id, at: instant, day: day, edit: edit, lacksGoalID: lacksGoalID)
  }
}

extension [ProposedEdit] {
  /// The goal of a single bump or skip, which changes no other.
  fileprivate var onlyGoal: Goal.ID? {
    guard count == 1, case .progress(let edit) = self[0].edit else { return nil }
    return switch edit {
    case .bump(let goal, _, _), .skip(let goal): goal
    }
  }
}
