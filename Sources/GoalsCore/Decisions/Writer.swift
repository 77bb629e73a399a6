/// The writer's state: the requests that are decided and not yet durable.
///
/// The writer is a pure machine: an event goes in, decisions come out. The shell performs the
/// decisions and reports the result as the next event. Nothing that a client can see changes before
/// `committed`. After a commit that failed, or may have failed, each request is decided again or
/// answered with the failure.
public struct Writer: Sendable {
  /// The accounts that the requests name, as they were installed last.
  var accounts: [Account.ID: Account] = [:]
  /// The accounts of the decided requests, in the order of their first requests.
  var drafts: [Draft] = []
  /// Decided requests whose edits are not yet durable.
  var deciding: [Decided] = []
  /// Requests that wait to be tried alone, because a commit of several requests failed.
  var waiting: [Submission] = []
  var now = Instant(milliseconds: 0)
  var zones = Zones()
  var maximumGoals = AccountState.maximumGoals
  var maximumLogBytes = AccountState.maximumLogBytes
  let isLogShared: Bool

  /// A writer to which nothing has come yet.
  ///
  /// - Parameter isLogShared: whether other writers write the same log. Then every answer waits for
  ///   a transaction that finds the account where it was read.
  public init(isLogShared: Bool = false) { self.isLogShared = isLogShared }

  struct Decided: Sendable {
    let request: Submission
    let ruling: Ruling
    /// The index of the account's draft.
    let draft: Int

    /// Whether the client takes the answer for settled: it drops an edit that is recorded, changes
    /// nothing or is rejected. A dry run settles nothing, but for edits that it finds recorded.
    var isActedUpon: Bool {
      !request.batch.isDryRun || ruling.outcomes.contains { $0.isRecordedBefore }
    }

    /// Whether it stands although nobody looked for the ids in the log: all of its edits are to be
    /// recorded, and the transaction finds those that are recorded already.
    var needsNoLookUp: Bool {
      guard !request.batch.isDryRun, ruling.result == .decided else { return false }
      return ruling.outcomes.allSatisfy { if case .applied = $0.status { true } else { false } }
    }
  }

  /// An account as the requests decided so far would leave it. Nothing outside the writer sees it.
  struct Draft: Sendable {
    let id: Account.ID
    let account: Account
    var state: AccountState
    var recorded: RecordedEdits
    var edits: [RecordedEdit] = []
  }
}

/// An account as the writer sees it.
public struct Account: Hashable, Sendable {
  /// The id of an account.
  public typealias ID = GoalsCore.ID<Account>

  /// The account's state, with every durable edit.
  public var state: AccountState
  /// The chain up to the state's version.
  public var chain: Chain
  /// The size of the log in bytes.
  public var logBytes: Int
  /// The largest size of the log in bytes, where this account has a quota of its own; nil for the
  /// one that all have.
  public var maximumLogBytes: Int?
  /// The edits of the log whose ids the requests name.
  public var recorded: RecordedEdits
  /// Whether these were looked up. Of a log that is shared that costs a way to its database and
  /// back, and most requests can do without.
  public var isLookedUp: Bool

  /// An account as it was read from the store.
  public init(
    state: AccountState, chain: Chain, logBytes: Int = 0, maximumLogBytes: Int? = nil,
    recorded: RecordedEdits = RecordedEdits(), isLookedUp: Bool = true
  ) {
    self.isLookedUp = isLookedUp
    self.state = state
    self.chain = chain
    self.logBytes = logBytes
    self.maximumLogBytes = maximumLogBytes
    self.recorded = recorded
  }

  /// Looks up the account's time zone, and the zones to which undoing `recorded` would return it.
  public func addZones(to zones: inout Zones, by lookUp: (ZoneName) -> ZoneLookup) {
    zones.add(state.calendar.timeZone, by: lookUp)
    recorded.addZones(to: &zones, by: lookUp)
  }
}

/// A request that waits for its answer.
public struct Submission: Hashable, Sendable {
  /// The number of a request, by which the shell finds the client to answer.
  public typealias Ticket = Int

  /// The number of the request.
  public let ticket: Ticket
  /// The account that the request is about.
  public let account: Account.ID
  /// The edits of the request.
  public let batch: Batch

  /// A request that came with this number.
  public init(ticket: Ticket, account: Account.ID, batch: Batch) {
    self.ticket = ticket
    self.account = account
    self.batch = batch
  }
}

/// An input of the writer.
public enum Event: Hashable, Sendable {
  /// Requests, with the accounts that they name. A request whose account is missing here names an
  /// account that is gone.
  case arrived(
    [Submission], accounts: [Account.ID: Account], now: Instant, zones: Zones,
    maximumGoals: Int = AccountState.maximumGoals,
    maximumLogBytes: Int = AccountState.maximumLogBytes)
  /// The transaction that was ordered last is durable. Each of its edits has a seal, in order.
  /// Nothing is recorded of the accounts in `overtaken`: another writer has changed them since they
  /// were read. Nor is anything recorded of those in `known`: one of their edits is in the log
  /// already.
  case committed(
    [Account.ID: [Seal]], overtaken: Set<Account.ID> = [], known: Set<Account.ID> = [])
  /// The transaction that was ordered last failed, or may have failed: the failure says which.
  case commitFailed(CommitFailure)
}

/// An edit as it was written: its link of the chain, and the payload that the link is made over.
public struct Seal: Hashable, Sendable {
  /// The link of the chain up to this edit.
  public let chain: Chain
  /// The bytes of the edit that the link is made over.
  public let payload: [UInt8]
  /// The size of the log in bytes, with this edit.
  public var logBytes: Int

  /// The seal of an edit that was written.
  public init(chain: Chain, payload: [UInt8], logBytes: Int = 0) {
    self.chain = chain
    self.payload = payload
    self.logBytes = logBytes
  }
}

/// Why a transaction is not durable, or may not be.
public enum CommitFailure: Hashable, Sendable {
  /// The disk is full. Nothing was written, and the commit may be tried again.
  case full
  /// Reading or writing failed. The database has to be opened again: a failed fsync must not be
  /// retried, since the kernel may have dropped the pages.
  case storage
  /// The answer was lost, or does not say that the commit is on the standby: it may be recorded,
  /// now or later. That it is not to be seen proves nothing.
  case unknown
  /// Any other failure: a request holds something that it should not.
  case other
}

/// An output of the writer: an order to the shell.
public enum Decision: Hashable, Sendable {
  /// Write the edits, and the states after them, in one durable transaction.
  case persist([Write])
  /// Let readers see this state, with the seal of its last edit.
  case install(Account.ID, AccountState, Seal)
  /// Answer the request of this number.
  case answer(Submission.Ticket, Answer)
  /// Forget what was read of their accounts, read it and look up the ids that they name, and bring
  /// these requests in again, before all others.
  case decideAgain([Submission])
  /// Look up the ids that these requests name, and bring them in again, before all others.
  case lookUp([Submission])
  /// Tell every observer of the commit.
  case announce(Commit)
  /// Count something, and write it to the server's log.
  case track(Tracked)
  /// Close the database, open it again and let it recover.
  case reopen
}

/// The edits of one account in a transaction, and its state before and after them. Without edits it
/// asks whether the account still stands at the state and the chain before.
///
/// A class, so that the tables get it without a copy.
public final class Write: Hashable, Sendable {
  /// The account whose edits they are.
  public let account: Account.ID
  /// The edits, in log order.
  public let edits: [RecordedEdit]
  /// The state before the edits.
  public let before: AccountState
  /// The state after them.
  public let after: AccountState
  /// The chain up to the edit before the first of them.
  public let chain: Chain
  /// The size of the log in bytes before the edits.
  public let logBytes: Int
  /// Whether a client acts upon an answer that rests on the state before. What is visible may not
  /// be on the standby yet, so the transaction commits something of the account, even without
  /// edits.
  public let confirms: Bool

  init(
    account: Account.ID, edits: [RecordedEdit], before: AccountState, after: AccountState,
    chain: Chain, logBytes: Int, confirms: Bool = false
  ) {
    self.account = account
    self.edits = edits
    self.before = before
    self.after = after
    self.chain = chain
    self.logBytes = logBytes
    self.confirms = confirms
  }

  public static func == (left: Write, right: Write) -> Bool {
    left === right
      || left.account == right.account && left.chain == right.chain && left.edits == right.edits
        && left.before == right.before && left.after == right.after
        && left.logBytes == right.logBytes && left.confirms == right.confirms
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(account)
    hasher.combine(edits)
  }
}

/// The result of a request.
public enum Answer: Hashable, Sendable {
  /// The ruling, and the chain of its state.
  case ruled(Ruling, chain: Chain)
  /// The store can't decide now. Nothing of the request is recorded, unless the answer to a commit
  /// was lost: where several servers share the log, that stays unknown.
  case unavailable
  /// An unforeseen failure: nothing of the request is recorded.
  case failed
  /// The account is gone.
  case unknownAccount
  /// The client may no longer ask: nothing of the request is recorded.
  case refused
}

/// Edits of one account that became durable together.
///
/// A class, so that every observer gets it without a copy.
public final class Commit: Hashable, Sendable {
  /// The account whose edits they are.
  public let account: Account.ID
  /// The edits, in log order.
  public let edits: [RecordedEdit]
  /// One for each edit.
  public let seals: [Seal]
  /// The chain up to the edit before the first of them.
  public let chain: Chain
  /// The state after the edits.
  public let state: AccountState

  /// - Parameter edits: empty after an import, which makes a whole log durable; observers can read
  ///   that log.
  public init(
    account: Account.ID, edits: [RecordedEdit], seals: [Seal], after chain: Chain,
    state: AccountState
  ) {
    self.account = account
    self.edits = edits
    self.seals = seals
    self.chain = chain
    self.state = state
  }

  public static func == (left: Commit, right: Commit) -> Bool {
    left === right
      || left.account == right.account && left.edits == right.edits && left.seals == right.seals
        && left.chain == right.chain && left.state == right.state
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(account)
    hasher.combine(edits)
  }
}

/// An event of the writer, for the metrics and the server's log.
public enum Tracked: Hashable, Sendable {
  /// A transaction is durable, with the edits of so many requests.
  case committed(requests: Int, edits: Int)
  /// Of so many accounts of a transaction nothing was written, as another writer had changed them.
  case overtaken(accounts: Int)
  /// A transaction of so many requests failed.
  case commitFailed(CommitFailure, requests: Int)
}
