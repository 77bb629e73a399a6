import GoalsCore

/// Decides what an event leads to: the replica's next state, and orders for the shell.
///
/// Pure and total: every event in every state leads somewhere, and the same events lead to the same
/// place everywhere. The shell performs the orders in their order.
public func decide(_ event: Replica.Event, _ replica: inout Replica) -> [Replica.Decision] {
  var step = Step(event)
  switch event.kind {
  case .loaded(let kept, let earlier, let clockOffset):
    replica.load(kept, showing: earlier, clockOffset, &step)
  case .signedIn: replica.signIn(&step)
  case .edited(let edits): replica.edit(edits, &step)
  case .dismissed(let ids): replica.dismiss(ids, &step)
  case .kept(let number): replica.confirm(number)
  case .notKept(let number): replica.withdraw(number, &step)
  case .answered(let ticket, let answer, let date):
    guard let request = replica.request(ticket) else { return [] }
    replica.compareClocks(date, &step)
    replica.take(answer, to: request, &step)
  case .refused(let ticket, let refusal, let date):
    guard let request = replica.request(ticket) else { return [] }
    // A proxy's clock is another one.
    if refusal.isOfServer { replica.compareClocks(date, &step) }
    replica.take(refusal, of: request, &step)
  case .unreachable(let ticket):
    guard replica.request(ticket) != nil else { return [] }
    replica.fail(.unreachable, &step)
  case .followed(let entries, let cursor): replica.follow(entries, cursor, &step)
  case .followReset: replica.resetFollowing(&step)
  case .followEnded(let hadBegun): replica.endFollowing(hadBegun: hadBegun, &step)
  case .zone(let name, let lookup): replica.learn(name, lookup, &step)
  case .timePassed: replica.passTime(&step)
  case .cameToFront: replica.comeToFront(&step)
  }
  replica.finish(&step)
  return step.decisions
}

extension Replica {
  /// The edits that the event needs to know from the log: those that undos take back.
  public func lookUps(for kind: Event.Kind) -> [Edit.ID] {
    switch kind {
    case .edited(let edits): edits.compactMap { $0.edit.undone }
    case .loaded(let kept, _, _): kept.own.all.compactMap { $0.pendingUndo }
    case .answered(_, .page(let page), _): targets(of: page.entries)
    case .followed(let entries, _): targets(of: entries)
    case .answered, .notKept, .refused, .followReset, .zone: targets(of: [])
    case .signedIn, .dismissed, .kept, .unreachable, .followEnded, .timePassed, .cameToFront: []
    }
  }

  private func targets(of entries: [LogEntry]) -> [Edit.ID] {
    entries.compactMap { entry in
      if case .edit(let payload) = entry { payload.edit.undone } else { nil }
    } + kept.own.all.compactMap { $0.pendingUndo }
  }

  /// How the replica stands to the server.
  public var standing: Standing {
    switch link.doing {
    case .loading: .loading
    case .ready, .resting: .inStep
    case .asking: .asking
    case .waiting(let until, let cause): .waiting(until: until, cause)
    case .stopped(let stop): .stopped(stop)
    }
  }

  /// Whether the shown state is older than the server's log on purpose: the log is being read from
  /// its start.
  public var isCatchingUp: Bool { link.isCatchingUp }

  /// The edits that the log has not brought yet, in the order in which they were made.
  public var queue: [OwnEdit] { kept.own.all.filter { $0.isPending } }

  /// The edits that were rejected and not dismissed.
  public var rejected: [OwnEdit] {
    kept.own.all.filter { if case .rejected = $0.standing { true } else { false } }
  }
}

extension OwnEdit {
  fileprivate var pendingUndo: Edit.ID? { isPending ? proposed.edit.undone : nil }
}

extension Replica {
  fileprivate mutating func load(
    _ kept: Kept, showing earlier: AccountState?, _ clockOffset: Int64, _ step: inout Step
  ) {
    guard case .loading = link.doing else { return }
    self.kept = kept
    self.earlier = earlier
    self.clockOffset = clockOffset
    link.doing = .stopped(.signedOut)
    link.isCatchingUp = !kept.isWhole
    step.rebases = true
  }

  fileprivate mutating func signIn(_ step: inout Step) {
    if case .loading = link.doing { return }
    link.doing = .ready
    link.isKnown = false
    link.writes = true
    link.failures = 0
    // That the sign-in had ended is shown until now.
    step.shows = true
  }

  fileprivate mutating func passTime(_ step: inout Step) {
    link.alarm = nil
    // A period may have ended.
    step.shows = true
  }

  fileprivate mutating func comeToFront(_ step: inout Step) {
    link.isBehind = true
    link.isFull = false
    link.pollsInstead = false
    link.zonesAsked = []
    if case .waiting(_, let cause) = link.doing, cause != .asked { link.doing = .ready }
    if case .paused = link.following { link.following = .none }
    step.shows = true
  }

  fileprivate mutating func learn(_ name: ZoneName, _ lookup: ZoneLookup, _ step: inout Step) {
    switch lookup {
    case .found, .unknown:
      guard zones[name] == .unavailable else { return }
      zones.add(name) { _ in lookup }
      link.zonesAsked.remove(name)
      step.rebases = true
    case .unavailable:
      // Looked up again when the app comes to the front.
      break
    }
  }

  /// Orders what follows from the new state: the fold, what is sent, what is waited for.
  fileprivate mutating func finish(_ step: inout Step) {
    if case .loading = link.doing { return }
    if step.rebases { rebase(&step) }
    show(&step)
    findZones(&step)
    advance(&step)
    setAlarm(&step)
  }

  /// Orders to show what has changed. It orders to show the whole list where more than one goal has
  /// changed, and where time alone has changed how the list reads.
  private mutating func show(_ step: inout Step) {
    let now = corrected(step.now)
    let isCurrent = link.listed?.holds(at: now) ?? true
    guard step.shows || step.goal != nil || !isCurrent else { return }
    let last = Instant(milliseconds: .max)
    let until = zones.calendar(shown.calendar).map { shown.validUntil(at: now, in: $0) ?? last }
    if let goal = step.goal, !step.shows, isCurrent, !link.isCatchingUp, let listed = link.listed {
      step.decisions.append(.show(of: goal))
      link.listed?.until = min(listed.until, until ?? last)
    } else {
      step.decisions.append(.show())
      link.listed = until.map { Link.Listed(from: now, until: $0) }
    }
  }

  private mutating func findZones(_ step: inout Step) {
    var names: Set = [kept.state.calendar.timeZone, shown.calendar.timeZone]
    for own in kept.own.all where own.isPending {
      if let name = own.proposed.edit.namedZone { names.insert(name) }
    }
    for name in names.sorted(by: { $0.text < $1.text })
    where zones[name] == .unavailable && link.zonesAsked.insert(name).inserted {
      step.decisions.append(.findZone(name))
    }
  }

  private mutating func setAlarm(_ step: inout Step) {
    var times: [Instant] = []
    switch link.doing {
    case .resting(let until):
      times.append(until)
      // Following begins only while the device rests.
      if case .paused(let until) = link.following, step.now < until { times.append(until) }
    case .waiting(let until, _): times.append(until)
    case .loading, .ready, .asking, .stopped: break
    }
    if let end = link.listed?.until, end.milliseconds < .max {
      times.append(end.adding(milliseconds: -clockOffset))
    }
    let alarm = times.min()
    guard alarm != link.alarm else { return }
    link.alarm = alarm
    step.decisions.append(.wait(until: alarm))
  }
}
