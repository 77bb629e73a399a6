import GoalsCore

/// The server's log: how it is read on, and what happens when it is another one.
extension Replica {
  /// Begins the log of an account at its start.
  mutating func begin(_ identity: Identity, _ step: inout Step) {
    var delta = Delta()
    delta.restart = identity
    keep(delta, &step)
    link.isBehind = true
    link.isCatchingUp = true
    step.rebases = true
  }

  /// Takes a page of the log that was asked for after this position.
  mutating func read(_ page: Page, after: Cursor?, _ step: inout Step) {
    // What was followed meanwhile has led beyond that position. Mostly it led as far as the page.
    guard after == kept.cursor else {
      link.isBehind = page.cursor != kept.cursor
      return
    }
    guard var delta = continuation(page.entries, page.cursor, step) else {
      return page.entries.contains(.unknown) ? outgrow(&step) : noticeRestore(&step)
    }
    link.isBehind = page.more
    delta.more = page.more
    install(delta, &step)
  }

  /// Takes edits that came by themselves.
  mutating func follow(_ entries: [LogEntry], _ cursor: Cursor, _ step: inout Step) {
    guard link.following == .begun else { return }
    link.shortStreams = 0
    let news = entries.drop {
      if case .edit(let payload) = $0 { payload.version <= kept.state.version } else { false }
    }
    guard !news.isEmpty else { return }
    guard let delta = continuation(Array(news), cursor, step) else {
      link.isBehind = true
      return
    }
    install(delta, &step)
  }

  /// The server knows the position no more from which the log was followed.
  mutating func resetFollowing(_ step: inout Step) {
    guard link.following == .begun else { return }
    noticeRestore(&step)
  }

  /// The change by which the log goes on with these entries; nil where they do not continue it.
  private func continuation(_ entries: [LogEntry], _ cursor: Cursor, _ step: Step) -> Delta? {
    var state = kept.state
    var recorded = step.known
    var delta = Delta()
    for entry in entries {
      guard case .edit(let payload) = entry,
        let edit = payload.following(state, among: recorded)
      else { return nil }
      edit.transform(&state)
      recorded.record(edit)
      delta.recorded.append(edit)
      if let own = kept.own[edit.id] { delta.own.append(own.standing(.recorded(step.now))) }
    }
    delta.cursor = cursor
    return delta
  }

  private mutating func install(_ delta: Delta, _ step: inout Step) {
    let isLast = !delta.more && !kept.isWhole
    if delta.cursor != kept.cursor || isLast { keep(delta, &step) }
    // The chains that the queue's undos belong to have grown.
    for edit in delta.recorded where edit.undone != nil { step.known.record(edit) }
    let hasCaughtUp = link.isCatchingUp && !link.isBehind
    if hasCaughtUp { link.isCatchingUp = false }
    if hasCaughtUp || !delta.recorded.isEmpty { step.rebases = true }
  }

  /// The log has edits of unknown types: it can't be folded any further. Edits are still sent.
  private mutating func outgrow(_ step: inout Step) {
    if !link.isOutdated { step.tell(.newerServer) }
    link.isOutdated = true
    link.isBehind = false
    link.isCatchingUp = false
    step.rebases = true
  }

  /// The log is no longer the one that was read: the server was restored from a backup. The log is
  /// read anew, and the edits that the restore may have lost are sent again, before the others.
  mutating func noticeRestore(_ step: inout Step) {
    // A server that knows neither a position nor the start of its log makes no sense.
    guard let identity = kept.identity, kept.cursor != nil else {
      return fail(.nonsense, &step)
    }
    let until = step.now.adding(milliseconds: Self.memory)
    var delta = Delta()
    delta.restart = identity
    var resent = 0
    for own in kept.own.all {
      switch own.standing {
      case .due: delta.own.append(own.standing(.due, retriedUntil: until))
      case .acknowledged, .recorded:
        delta.own.append(own.standing(.due, retriedUntil: until))
        resent += 1
      case .rejected: break
      }
    }
    keep(delta, &step)
    unfollow(&step)
    // An import into an empty account brings another calendar to begin with.
    link.isKnown = false
    link.isBehind = true
    link.isCatchingUp = true
    link.sent = []
    link.restarts += 1
    if link.restarts == 1 { return step.tell(.restored(edits: resent)) }
    // The log breaks off each time that it is read.
    if case .asking = link.doing { return }
    fail(.nonsense, &step)
  }
}
