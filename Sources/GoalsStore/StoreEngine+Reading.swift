import GoalsCore

/// What a round needs of its accounts before it is decided.
extension StoreEngine {
  /// The accounts that a round names, as they are recorded, and their zones.
  struct Accounts: Sendable {
    var found: [Account.ID: Account] = [:]
    var failed: [Account.ID: StoreError] = [:]
    var zones = Zones()
  }

  /// On the queue of the recorder. What is read over a network is read once more where that fails:
  /// a connection that was idle may have been lost without anybody's noticing.
  func read(_ round: [WaitingBatch], _ lane: Lane) -> Accounts {
    checkQueue(of: lane)
    var accounts = readOnce(round, lane)
    if isLogShared, !accounts.failed.isEmpty { accounts = readOnce(round, lane) }
    for error in Set(accounts.failed.values) {
      environment.track(.failed(error))
      // What can't be reached to be read takes no write either.
      if isLogShared { learn(from: error) }
    }
    return accounts
  }

  private func readOnce(_ round: [WaitingBatch], _ lane: Lane) -> Accounts {
    var accounts = Accounts()
    var namedIDs: [Account.ID: [Edit.ID]] = [:]
    namedIDs.reserveCapacity(round.count)
    let unnamed = isLogShared ? accountsWithoutLookUp(in: round) : []
    for waiting in round {
      if unnamed.contains(waiting.sent.account) {
        namedIDs[waiting.sent.account] = []
      } else {
        waiting.sent.batch.addIDs(toLookUp: &namedIDs[waiting.sent.account, default: []])
      }
      waiting.sent.batch.addZones(to: &accounts.zones, by: environment.zone)
    }
    accounts.found.reserveCapacity(namedIDs.count)
    // NB: the states were collected before this. Beside one that came later, an edit that is in it
    // would not be found by its id.
    do throws(StoreError) {
      try inStore {
        let view = try lane.recorder.writersView()
        try view.consistently {
          try view.foresee(namedIDs)
          for (id, ids) in namedIDs {
            do throws(StoreError) {
              let account = try inStore {
                try self.account(
                  id, naming: ids, isLookedUp: !unnamed.contains(id), in: view, lane)
              }
              account?.addZones(to: &accounts.zones, by: environment.zone)
              accounts.found[id] = account
            } catch {
              // The transaction that a statement failed in reads nothing more.
              if isLogShared && error.passes { throw error }
              accounts.failed[id] = error
            }
          }
        }
      }
    } catch {
      for id in namedIDs.keys { accounts.failed[id] = error }
    }
    return accounts
  }

  private func account(
    _ id: Account.ID, naming ids: [Edit.ID], isLookedUp: Bool, in view: any StoreReader,
    _ lane: Lane
  ) throws -> Account? {
    let published: Published
    if let known = lane.states[id] {
      published = known
    } else if let snapshot = try view.snapshot(of: id) {
      published = Published(snapshot)
      cache.install(published, id)
      lane.states[id] = published
    } else {
      return nil
    }
    return Account(
      state: published.state, chain: published.chain, logBytes: published.logBytes,
      maximumLogBytes: maximumLogBytes(isSignedUp: published.isSignedUp),
      recorded: try view.recorded(ids, in: id), isLookedUp: isLookedUp)
  }

  /// The accounts none of whose requests needs its ids looked up before it is decided.
  private func accountsWithoutLookUp(in round: [WaitingBatch]) -> Set<Account.ID> {
    let all = Set(round.map(\.sent.account))
    return all.subtracting(round.lazy.filter(\.looksUp).map(\.sent.account))
  }

  /// The event that a round has come. What can't be decided is answered.
  func arrival(
    of round: [WaitingBatch], _ accounts: Accounts, _ lane: Lane
  ) -> Event {
    var requests: [Submission] = []
    requests.reserveCapacity(round.count)
    for (ticket, waiting) in round.enumerated() {
      let account = waiting.sent.account
      let failure = accounts.failed[account].map { $0.passes ? Answer.unavailable : .failed }
      if let answer = failure ?? refusal(of: waiting.sent, lane) {
        lane.round[ticket] = nil
        waiting.answer(answer)
        continue
      }
      requests.append(
        Submission(ticket: ticket, account: account, batch: waiting.sent.batch))
    }
    return .arrived(
      requests, accounts: accounts.found, now: environment.now(), zones: accounts.zones,
      maximumGoals: environment.maximumGoals, maximumLogBytes: environment.maximumLogBytes)
  }

  /// Refuses a batch whose token was revoked, by whichever store, before its account was read.
  private func refusal(of sent: Store.SentBatch, _ lane: Lane) -> Answer? {
    guard let token = sent.token, let book = lane.states[sent.account]?.book else {
      return nil
    }
    return book.revoked.contains(token) ? .refused : nil
  }
}
