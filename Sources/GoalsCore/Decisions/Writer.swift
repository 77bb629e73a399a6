/// The writer's state: what was decided and is not yet durable.
///
/// The heart of the server as a pure machine. An event goes in, orders come out; whoever performs
/// them brings what came of them back as the next event. Nothing that anyone can see changes before
/// `committed`, so a commit that fails has changed nothing.
public struct Writer: Sendable {
  /// The accounts that the round speaks of, as they are installed.
  var accounts: [Account.ID: Account] = [:]
  /// The accounts of what is decided, in the order in which they came first.
  var drafts: [Draft] = []
  /// Requests that are decided, their edits not yet durable.
  var deciding: [Decided] = []
  /// Requests that wait to be tried alone, because a commit of several failed.
  var waiting: [Submission] = []
  var now = Instant(milliseconds: 0)
  var zones = Zones()
  var maximumGoals = AccountState.maximumGoals
  var maximumLogBytes = AccountState.maximumLogBytes

  public init() {}

  struct Decided: Sendable {
    let request: Submission
    let ruling: Ruling
    /// The place of the account's draft.
    let draft: Int
  }

  /// An account as the requests decided so far would leave it: a workpiece, which nobody else sees.
  struct Draft: Sendable {
    let id: Account.ID
    let account: Account
    var state: AccountState
    var recorded: RecordedEdits
    var edits: [RecordedEdit] = []
  }
}

/// An account as the writer sees it.
public struct Account: Sendable {
  public typealias ID = GoalsCore.ID<Account>

  public var state: AccountState
  /// The chain up to the state's version.
  public var chain: Chain
  /// How many bytes the log takes.
  public var logBytes: Int
  /// What is recorded already of what the requests name.
  public var recorded: RecordedEdits

  public init(
    state: AccountState, chain: Chain, logBytes: Int = 0,
    recorded: RecordedEdits = RecordedEdits()
  ) {
    self.state = state
    self.chain = chain
    self.logBytes = logBytes
    self.recorded = recorded
  }

  /// Looks up its own zone, and those to which edits that are named would return it.
  public func addZones(to zones: inout Zones, by lookUp: (ZoneName) -> ZoneLookup) {
    zones.add(state.calendar.timeZone, by: lookUp)
    recorded.addZones(to: &zones, by: lookUp)
  }
}

/// A request that waits for its answer.
public struct Submission: Sendable {
  /// By which whoever performs the decisions knows whom to answer.
  public typealias Ticket = Int

  public let ticket: Ticket
  public let account: Account.ID
  public let batch: Batch

  public init(ticket: Ticket, account: Account.ID, batch: Batch) {
    self.ticket = ticket
    self.account = account
    self.batch = batch
  }
}

/// What the writer learns.
public enum Event: Sendable {
  /// Requests, with the accounts they speak of. An account that is missing is gone.
  case arrived(
    [Submission], accounts: [Account.ID: Account], now: Instant, zones: Zones,
    maximumGoals: Int = AccountState.maximumGoals,
    maximumLogBytes: Int = AccountState.maximumLogBytes)
  /// What was ordered last is durable. Every recorded edit has its seal, in order.
  case committed([Account.ID: [Seal]])
  case commitFailed(CommitFailure)
}

/// What was written of an edit: its link of the chain, and the bytes that the link is made over.
public struct Seal: Hashable, Sendable {
  public let chain: Chain
  public let payload: [UInt8]
  /// How many bytes the log takes with it.
  public var logBytes: Int

  public init(chain: Chain, payload: [UInt8], logBytes: Int = 0) {
    self.chain = chain
    self.payload = payload
    self.logBytes = logBytes
  }
}

public enum CommitFailure: Hashable, Sendable {
  /// The disk is full: nothing was written, and it may be tried again.
  case full
  /// Reading or writing failed. What the database holds has to be read anew (a failed fsync must
  /// not be retried: the kernel may have dropped the pages).
  case storage
  /// Anything else: something in the batch that should not have been there.
  case other
}

/// What is to be done.
public enum Decision: Sendable {
  /// Write the edits and the states they lead to, in one durable transaction.
  case persist([Write])
  /// Let everyone see this state, and what was written of its last edit.
  case install(Account.ID, AccountState, Seal)
  case answer(Submission.Ticket, Answer)
  /// Tell every observer.
  case announce(Commit)
  case track(Tracked)
  /// Close the database, open it again and let it recover.
  case reopen
}

/// The edits of one account in a transaction, and its state before and after them.
///
/// An object, because it is handed on from the decision to the tables.
public final class Write: Sendable {
  public let account: Account.ID
  public let edits: [RecordedEdit]
  public let before: AccountState
  public let after: AccountState
  public let chain: Chain
  /// How many bytes the log takes before them.
  public let logBytes: Int

  init(
    account: Account.ID, edits: [RecordedEdit], before: AccountState, after: AccountState,
    chain: Chain, logBytes: Int
  ) {
    self.account = account
    self.edits = edits
    self.before = before
    self.after = after
    self.chain = chain
    self.logBytes = logBytes
  }
}

/// What a request comes to.
public enum Answer: Sendable {
  /// `chain` is that of the ruling's state.
  case ruled(Ruling, chain: Chain)
  /// The disk failed: nothing of the request is recorded.
  case unavailable
  /// Something unforeseen: nothing of the request is recorded.
  case failed
  /// The account is gone.
  case unknownAccount
  /// Who asked may not any more: nothing of the request is recorded.
  case refused
}

/// Edits of one account that have become durable together.
///
/// An object, because it is handed on to every observer.
public final class Commit: Sendable {
  public let account: Account.ID
  public let edits: [RecordedEdit]
  /// One for each edit.
  public let seals: [Seal]
  /// The state with them.
  public let state: AccountState

  /// - Parameter edits: none for a log that became durable as a whole, by an import: it is there to
  ///   be read.
  public init(account: Account.ID, edits: [RecordedEdit], seals: [Seal], state: AccountState) {
    self.account = account
    self.edits = edits
    self.seals = seals
    self.state = state
  }
}

/// What happened, for whoever keeps count.
public enum Tracked: Hashable, Sendable {
  case committed(requests: Int, edits: Int)
  case commitFailed(CommitFailure, requests: Int)
}
