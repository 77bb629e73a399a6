import GoalsCore

/// The exchange with the server: what is sent when, and what its answers and refusals lead to.
extension Replica {
  /// The request of a ticket, if it is the one under way.
  public func request(_ ticket: Ticket) -> Request? {
    guard case .asking(let request, ticket) = link.doing else { return nil }
    return request
  }

  // MARK: Sending

  /// Sends the next request, if one is due.
  mutating func advance(_ step: inout Step) {
    switch link.doing {
    case .loading, .asking, .stopped:
      return
    case .ready:
      break
    case .waiting(let until, _):
      guard step.now >= until else { return }
    case .resting(let until):
      if step.now >= until { link.isBehind = true }
    }
    guard link.isKnown else { return send(.identity, &step) }
    let edits = link.writes && !link.isFull ? sendable() : []
    if edits.isEmpty, !link.isBehind { return rest(&step) }
    // New edits are durable in a moment, and go with the request.
    if edits.isEmpty, link.writes, !link.isFull, !unkept.isEmpty { return }
    for edit in edits {
      link.sent.insert(edit.id)
      guessed.remove(edit.id)
    }
    send(
      link.writes ? .sync(after: kept.cursor, edits: edits) : .read(after: kept.cursor), &step)
  }

  private mutating func send(_ request: Request, _ step: inout Step) {
    link.ticket += 1
    link.doing = .asking(request, link.ticket)
    step.decisions.append(.send(request, link.ticket))
  }

  /// The next edits to send: durable on the device, and not sent since the last pause.
  private func sendable() -> [ProposedEdit] {
    var edits: [ProposedEdit] = []
    for own in kept.own.all {
      guard edits.count < link.limit else { break }
      if own.standing == .due, unkept[own.id] == nil, !link.sent.contains(own.id) {
        edits.append(own.proposed)
      }
    }
    return edits
  }

  /// Nothing is left to send or to read. Edits that the server acknowledged and the log did not
  /// bring are lost there, and due again.
  private mutating func rest(_ step: inout Step) {
    if case .resting(let until) = link.doing, step.now < until { return followOn(&step) }
    link.sent = []
    link.limit = Self.edits
    var delta = Delta()
    for own in kept.own.all {
      switch own.standing {
      case .acknowledged where !link.isOutdated && link.writes:
        delta.own.append(
          own.standing(.due, retriedUntil: step.now.adding(milliseconds: Self.memory)))
      case .recorded(let since) where since < step.now.adding(milliseconds: -Self.memory):
        delta.forgotten.insert(own.id)
      case .due, .acknowledged, .recorded, .rejected:
        break
      }
    }
    keep(delta, &step)
    if !delta.own.isEmpty { return fail(.nonsense, &step) }
    link.failures = 0
    link.restarts = 0
    link.zonesAsked = []
    let pause = link.following == .begun ? Link.restFollowing : Link.rest
    link.doing = .resting(until: step.now.adding(milliseconds: pause))
    followOn(&step)
  }

  /// Begins to follow the log, once it was read to its end.
  private mutating func followOn(_ step: inout Step) {
    switch link.following {
    case .begun: return
    case .paused(let until) where step.now < until: return
    case .none, .paused: break
    }
    guard !link.isOutdated else { return }
    link.following = .begun
    step.decisions.append(
      .follow(after: kept.cursor, link.pollsInstead ? .longPoll : .stream))
  }

  mutating func endFollowing(hadBegun: Bool, _ step: inout Step) {
    guard link.following == .begun else { return }
    link.shortStreams = hadBegun ? 0 : link.shortStreams + 1
    if link.shortStreams >= 2 { link.pollsInstead = true }
    if hadBegun, link.pollsInstead {
      link.following = .none
      return
    }
    let pause = 1000 + Int64(step.chance * 1000)
    let until = step.now.adding(milliseconds: pause)
    link.following = .paused(until: until)
    // The stream may have ended because the server did. The next request finds out.
    if case .resting(let rest) = link.doing { link.doing = .resting(until: min(rest, until)) }
  }

  // MARK: Failing

  /// Waits, and tries again then. What was sent is sent again.
  mutating func fail(_ cause: Cause, asked: Int? = nil, _ step: inout Step) {
    link.failures += 1
    link.isBehind = true
    link.sent = []
    let pause = link.pause(chance: step.chance, asked: asked)
    link.doing = .waiting(
      until: step.now.adding(milliseconds: pause), (asked ?? 0) > 0 ? .asked : cause)
    step.shows = true
  }

  private mutating func stop(_ stop: Stop, _ notice: Notice, _ step: inout Step) {
    link.doing = .stopped(stop)
    link.sent = []
    link.isBehind = true
    unfollow(&step)
    step.tell(notice)
    step.shows = true
  }

  mutating func unfollow(_ step: inout Step) {
    if link.following == .begun { step.decisions.append(.unfollow) }
    link.following = .none
  }

  // MARK: Answers

  mutating func take(_ answer: Answer, to request: Request, _ step: inout Step) {
    link.doing = .ready
    switch (request, answer) {
    case (.identity, .identity(let identity)):
      recognise(identity, &step)
    case (.sync(let after, let edits), .page(let page)):
      guard page.outcomes.map({ $0.id }) == edits.map({ $0.id }) else {
        return misunderstood("outcomes", .nonsense, &step)
      }
      settle(page.outcomes, &step)
      read(page, after: after, &step)
    case (.read(let after), .page(let page)):
      read(page, after: after, &step)
    case (.identity, .page), (.sync, .identity), (.read, .identity):
      misunderstood("another answer", .nonsense, &step)
    }
  }

  private mutating func recognise(_ identity: Identity, _ step: inout Step) {
    if let known = kept.identity, known.account != identity.account {
      return stop(.otherAccount(identity.account), .otherAccount(identity.account), &step)
    }
    link.isKnown = true
    guard kept.identity != identity else { return }
    begin(identity, &step)
  }

  private mutating func misunderstood(_ detail: String, _ cause: Cause, _ step: inout Step) {
    if link.failures == 0 { step.tell(.notUnderstood(detail)) }
    fail(cause, &step)
  }

  /// Notes the outcomes of the edits that were sent.
  private mutating func settle(_ outcomes: [Outcome], _ step: inout Step) {
    var delta = Delta()
    for outcome in outcomes {
      // The edit may have come by the stream meanwhile.
      guard let id = outcome.id, let own = kept.own[id], own.standing == .due else { continue }
      switch outcome.status {
      case .applied, .duplicate:
        delta.own.append(own.standing(.acknowledged))
      case .unchanged:
        delta.forgotten.insert(own.id)
      case .rejected(let rejection):
        reject(own, rejection, into: &delta, &step)
      case .skipped:
        break
      }
    }
    keep(delta, &step)
    if !delta.isEmpty { step.rebases = true }
  }

  private mutating func reject(
    _ own: OwnEdit, _ rejection: Rejection, into delta: inout Delta, _ step: inout Step
  ) {
    if !own.isCorrected, let at = own.proposed.at, let right = time(for: at, rejection, step.now) {
      var corrected = own
      // A day that the edit names is the wrong clock's, too.
      corrected.proposed = own.proposed.at(right)
      corrected.isCorrected = true
      delta.own.append(corrected)
      link.sent.remove(own.id)
    } else if let until = own.retriedUntil, step.now < until {
      // It may need an edit that another device has yet to bring back.
    } else {
      delta.own.append(own.standing(.rejected(rejection)))
      step.tell(.rejected(own.proposed, rejection, wasKept: true))
    }
  }

  /// The time of an edit whose time was rejected, by the clock as it is now; nil for any other
  /// rejection. The clock may have been set since the edit was made, but no edit was made later
  /// than it was sent.
  private func time(for at: Instant, _ rejection: Rejection, _ now: Instant) -> Instant? {
    switch rejection.code {
    case .inFuture: min(at.adding(milliseconds: clockOffset), corrected(now))
    case .tooOld: clockOffset == 0 ? nil : at.adding(milliseconds: clockOffset)
    case .invalid, .unknownGoal, .goalExists, .inactiveGoal, .belowZero, .activityMismatch,
      .versionRequired, .idConflict, .unknownEdit, .notUndoable, .limitReached, .unknownTimeZone:
      nil
    }
  }

  // MARK: Refusals

  mutating func take(_ refusal: Refusal, of request: Request, _ step: inout Step) {
    var edits: [ProposedEdit] = []
    if case .sync(_, let sent) = request { edits = sent }
    link.doing = .ready
    settle(refusal.outcomes, &step)
    switch refusal.status {
    case 401 where !refusal.isOfServer, 403 where !refusal.isOfServer:
      fail(refusal.cause, asked: refusal.retryAfter, &step)
    case 401:
      stop(.signedOut, .signInNeeded, &step)
    case 403 where !edits.isEmpty || link.writes && request != .identity:
      link.writes = false
      step.tell(.readOnly)
      again(&step)
    case _ where refusal.isOfAnotherLog && request.after != nil:
      guard request.after == kept.cursor else { return again(&step) }
      noticeRestore(&step)
    case _ where refusal.isOf(edits):
      shorten(edits, refusal, &step)
    case 507 where !edits.isEmpty:
      link.isFull = true
      step.tell(.accountFull)
      again(&step)
    case 408, 429, 500...:
      fail(.status(refusal.status), asked: refusal.retryAfter, &step)
    default:
      misunderstood(refusal.sentence, refusal.cause, &step)
    }
  }

  /// Asks again at once, in another way than before.
  private mutating func again(_ step: inout Step) {
    link.sent = []
    link.isBehind = true
  }

  /// Half as many edits are sent. An edit that is refused alone is put aside, so that it does not
  /// hold up the others.
  private mutating func shorten(
    _ edits: [ProposedEdit], _ refusal: Refusal, _ step: inout Step
  ) {
    again(&step)
    link.limit = max(1, edits.count / 2)
    guard edits.count == 1, let own = kept.own[edits[0].id] else { return }
    link.limit = Self.edits
    let rejection = Rejection(.invalid, refusal.detail)
    var delta = Delta()
    delta.own = [own.standing(.rejected(rejection))]
    keep(delta, &step)
    step.tell(.rejected(own.proposed, rejection, wasKept: true))
    step.rebases = true
  }
}

extension Replica.Request {
  /// The position after which the request reads the log.
  fileprivate var after: Replica.Cursor? {
    switch self {
    case .identity: nil
    case .sync(let after, _), .read(let after): after
    }
  }
}

extension OwnEdit {
  func standing(_ standing: Standing, retriedUntil: Instant? = nil) -> OwnEdit {
    var edit = self
    edit.standing = standing
    edit.retriedUntil = retriedUntil ?? self.retriedUntil
    return edit
  }
}
