import Dispatch
import GoalsCore

/// Rounds, each on a lane. All of this runs on the writer's queue, but for what a lane's recorder
/// does on a queue of its own.
extension StoreEngine {
  var roundsOnTheirWay: Int { network.sync { lanes.count { !$0.accounts.isEmpty } } }

  /// How long a round runs alone before later batches are recorded beside it. Waiting makes rounds
  /// larger, which cost the database less for each edit, and most rounds are over by then. But a
  /// round that waits for a row that somebody holds must not hold up all others.
  private static let alone = Duration.milliseconds(10)

  /// Brings what waits onto a free lane, and comes back if more has come meanwhile. Where no lane
  /// is free, the next that is looks again.
  ///
  /// - Parameter slow: how many rounds each lane had had before the wait of `alone`; nil where
  ///   nothing was waited for. Where the counts are still the same, the busy rounds have had their
  ///   time.
  func takeRound(beside slow: [Int]? = nil) {
    dispatchPrecondition(condition: .onQueue(network.queue))
    guard let lane = lanes.first(where: \.accounts.isEmpty) else { return }
    let busy = lanes.reduce(into: Set()) { $0.formUnion($1.accounts) }
    let counts = lanes.map(\.count)
    guard busy.isEmpty || slow == counts else {
      guard !isWaitingForRound else { return }
      isWaitingForRound = true
      return environment.later(Self.alone, network.queue) {
        self.isWaitingForRound = false
        self.takeRound(beside: counts)
      }
    }
    let (taken, isMore) = backlog.withLock { backlog in
      lane.isLooking = false
      // In turns, so that neither waits for many of the other.
      if held.isTheirTurn, !lanes.contains(where: { $0.isLooking && !$0.accounts.isEmpty }) {
        for account in held.due(at: environment.uptime()) where !busy.contains(account) {
          let own = backlog.takeRound(of: account)
          lane.isLooking = !own.isEmpty
          if lane.isLooking { return (own, true) }
        }
      }
      let (taken, isMore) = backlog.takeRound(without: busy.union(held.all))
      return (taken, isMore || !held.isTheirTurn && !held.isEmpty)
    }
    held.isTheirTurn = !lane.isLooking
    begin(atHand(revocations.isEmpty ? taken : taken.filter(isAdmitted), lane), on: lane)
    if isMore { network.async { self.takeRound() } }
  }

  /// Whether the token by which a batch came still stands; refuses it otherwise.
  private func isAdmitted(_ waiting: WaitingBatch) -> Bool {
    guard revocations.include(waiting.sent.token) else { return true }
    waiting.answer(.refused)
    return false
  }

  /// Collects the states of a round's accounts, and answers the batches that it can go on with. The
  /// other batches wait until their states are read beside the writer. The writer reads none
  /// itself, because that takes the time of an account's past. Where the log is shared, the lane
  /// reads them on a queue of its own.
  private func atHand(_ round: [WaitingBatch], _ lane: Lane) -> [WaitingBatch] {
    lane.states.reserveCapacity(round.count)
    var absent: Set<Account.ID> = []
    for waiting in round {
      let account = waiting.sent.account
      if lane.states[account] != nil || absent.contains(account) { continue }
      // A state that an import has published has no book.
      if let published = cache.published(account), !isLogShared || published.book != nil {
        lane.states[account] = published
      } else if !isLogShared {
        switch waiting.lookUp {
        // There is no such account, or the writer finds out why it can't be read.
        case .done(nil): break
        case .done(let read?) where isHead(read, of: account, lane): lane.states[account] = read
        case .pending, .done: absent.insert(account)
        }
      }
    }
    if absent.isEmpty { return round }
    for waiting in round where absent.contains(waiting.sent.account) {
      perform(backlog.withLock { $0.add(waiting, isRead: false) }, for: waiting)
    }
    return round.filter { !absent.contains($0.sent.account) }
  }

  /// Whether a state that was read a while ago is still that of the log.
  private func isHead(_ read: Published, of account: Account.ID, _ lane: Lane) -> Bool {
    let version = read.state.version
    let page = try? lane.recorder.writersView().page(of: account, after: version, limit: 0)
    return page?.head == version && page?.chainBefore == read.chain
  }

  private func begin(_ round: [WaitingBatch], on lane: Lane) {
    guard !round.isEmpty else { return }
    rounds.enter()
    lane.count += 1
    lane.round = round
    lane.accounts = Set(round.map(\.sent.account))
    guard let queue = lane.recorder.queue else {
      return decide(arrival(of: round, read(round, lane), lane), on: lane)
    }
    queue.async {
      let accounts = self.read(round, lane)
      self.network.async { self.decide(self.arrival(of: round, accounts, lane), on: lane) }
    }
  }

  /// Decides what has come to be, and goes on until nothing of the round is on its way.
  private func decide(_ first: Event, on lane: Lane) {
    dispatchPrecondition(condition: .onQueue(network.queue))
    var event: Event? = first
    while let next = event {
      event = nil
      for decision in GoalsCore.decide(next, &lane.writer) {
        guard case .persist(let writes) = decision else {
          perform(decision, lane)
          continue
        }
        // It is the last of the decisions.
        guard let queue = lane.recorder.queue else {
          event = persist(writes, lane)
          continue
        }
        return queue.async {
          let outcome = self.persist(writes, lane)
          self.network.async { self.decide(outcome, on: lane) }
        }
      }
    }
    settleHeld(lane)
    lane.accounts = []
    lane.round = []
    lane.states = [:]
    rounds.leave()
    if lane.recorder.queue != nil { wake(backlog.withLock { $0.lookAgain() }) }
  }

  /// Takes note of the accounts whose rows were held when a round was recorded, and of those that
  /// are free again.
  private func settleHeld(_ lane: Lane) {
    if held.isEmpty && lane.held.isEmpty { return }
    let now = environment.uptime()
    for (account, published) in lane.states {
      let isHeld = lane.held.contains(account)
      guard held.learn(account, at: published.state.version, isHeld: isHeld, now) else { continue }
      environment.later(HeldAccounts.rest, network.queue) {
        dispatchPrecondition(condition: .onQueue(self.network.queue))
        self.held.wake(account)
        self.wake(self.backlog.withLock { $0.lookAgain() })
      }
    }
    lane.held = []
  }

  func wake(_ step: Backlog.Step) {
    if case .wake = step { network.async { self.takeRound() } }
  }

  // MARK: Performing decisions

  /// On the queue of the recorder.
  private func persist(_ writes: [Write], _ lane: Lane) -> Event {
    checkQueue(of: lane)
    do throws(StoreError) {
      let begun = environment.uptime()
      let books = isLogShared ? lane.states.compactMapValues(\.book) : [:]
      let result = try inStore {
        try lane.recorder.persist(writes, on: books, isWaiting: !lane.isLooking)
      }
      lane.held = result.held
      lane.persisted = .success(environment.uptime() - begun)
      // Only a round that recorded edits shows that the database takes writes. One that only asked,
      // or was overtaken, would succeed without that.
      if result.seals.contains(where: { !$1.isEmpty }) { learn(isDurable: true) }
      return .committed(result.seals, overtaken: result.overtaken, known: result.known)
    } catch {
      learn(from: error)
      lane.persisted = .failure(error)
      return .commitFailed(CommitFailure(error))
    }
  }

  private func perform(_ decision: Decision, _ lane: Lane) {
    switch decision {
    case .persist: break
    case .install(let account, let state, let last):
      let published = Published(state, last, after: lane.states[account])
      lane.states[account] = published
      cache.install(published, account)
    case .answer(let ticket, let answer):
      let waiting = lane.round[ticket]
      lane.round[ticket] = nil
      waiting?.answer(answer)
    case .decideAgain(let requests):
      decideAgain(requests, lane)
    case .lookUp(let requests):
      putBack(requests.compactMap { take($0, lane) })
      // Another lane may take them now: they need not wait for the rest of the round.
      lane.accounts = Set(lane.round.compactMap { $0?.sent.account })
    case .announce(let commit):
      commits.announce(commit)
    case .track(let tracked):
      environment.track(.writer(tracked))
      switch (tracked, lane.persisted) {
      case (.committed(_, let edits), .success(let duration)):
        environment.track(.persisted(edits: edits, duration))
      case (.commitFailed(_, let requests), .failure(let error)):
        environment.track(.unrecorded(requests: requests, error))
      case (.committed, .failure), (.commitFailed, .success), (.overtaken, _): break
      }
    case .reopen: reopen([lane])
    }
  }

  /// How long a batch may be overtaken again and again.
  private static let patience = Duration.seconds(3)

  /// Brings requests in again, before all others, and gives up those that were overtaken too long.
  private func decideAgain(_ requests: [Submission], _ lane: Lane) {
    let now = environment.uptime()
    var again: [WaitingBatch] = []
    for request in requests {
      cache.remove(request.account)
      guard var waiting = take(request, lane) else { continue }
      let since = waiting.overtakenSince ?? now
      waiting.overtakenSince = since
      if now - since < Self.patience { again.append(waiting) } else { waiting.answer(.unavailable) }
    }
    putBack(again)
  }

  /// Takes a request out of its round, to be decided again with the ids that it names looked up.
  private func take(_ request: Submission, _ lane: Lane) -> WaitingBatch? {
    defer { lane.round[request.ticket] = nil }
    var waiting = lane.round[request.ticket]
    waiting?.looksUp = true
    return waiting
  }

  private func putBack(_ batches: [WaitingBatch]) {
    let step = backlog.withLock { $0.putBack(batches) }
    if case .refuse = step { for waiting in batches { waiting.answer(.unavailable) } }
    wake(step)
  }

  /// A recorder is called on its own queue, or, where it has none, on the writer's.
  func checkQueue(of lane: Lane) {
    dispatchPrecondition(condition: .onQueue(lane.recorder.queue ?? network.queue))
  }

  /// Has the recorders of lanes let go of what a failed write may have left behind. None of the
  /// lanes has a round on its way to the disk.
  func reopen(_ lanes: [Lane]) {
    dispatchPrecondition(condition: .onQueue(network.queue))
    for lane in lanes {
      do throws(StoreError) {
        try inStore {
          guard let queue = lane.recorder.queue else { return try lane.recorder.reopen() }
          try queue.sync(execute: lane.recorder.reopen)
        }
        if !isLogShared { environment.track(.reopened) }
      } catch {
        environment.track(.failed(error))
      }
    }
  }
}
