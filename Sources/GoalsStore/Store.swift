import Dispatch
import ChangePropagation
import GoalsCore

/// The state of accounts, around a mutable thing that nobody else sees: functions, so that a store
/// in SQLite and one in memory are the same to their users.
package struct Store: Sendable {
  /// The state of an account as it is published; nil where there is no such account.
  ///
  /// Mostly from memory. A state that is not there is read from the disk on the calling thread.
  package let state: @Sendable (Account.ID) throws(StoreError) -> Published?
  /// The state of an account if it is in memory.
  package let stateInMemory: @Sendable (Account.ID) -> Published?
  /// The most goals of a list.
  package let maximumGoals: Int
  /// Has a batch decided, with others that wait. The answer comes on the writer's queue, once what
  /// is recorded is durable and published.
  package let submit: @Sendable (SentBatch, @escaping @Sendable (Answer) -> Void) -> Void
  /// Begins to give an account whose log is empty one that was read from an export. It passes no
  /// decision: reading the log has shown that each edit can have been recorded. It is refused where
  /// its sender's token or session ends before it is over.
  package let beginImport: @Sendable (ImportedLog, Account.ID, _ by: Authority?) -> Import
  /// Tells of every commit, after it is durable, published and answered, on the writer's queue.
  package let updated: Outlet<Commit>
  /// What is recorded beside the states. These read the disk on the calling thread.
  package let log: Log
  /// Accounts and tokens. These block the calling thread until what they change is durable.
  package let book: Book
  package let upkeep: Upkeep
  /// What the other stores of a shared log do; nil where nobody else writes this one.
  package let others: Others?
  /// Removes every account.
  package let reset: @Sendable () throws(StoreError) -> Void
  /// Closes the store: a transaction that is begun is finished; what waits and everything later is
  /// refused. Not to be called in an answer or by an observer: a transaction may be half told.
  package let destroy: @Sendable () -> Void

  /// A batch of edits for an account.
  ///
  /// An object, because it is handed on from the request to the writer, past everyone who listens.
  package final class SentBatch: Sendable {
    package let account: Account.ID
    /// By which token it came: where that is revoked before it is decided, it is refused.
    package let token: TokenRecord.ID?
    package let batch: Batch

    package init(account: Account.ID, token: TokenRecord.ID? = nil, batch: Batch) {
      self.account = account
      self.token = token
      self.batch = batch
    }
  }

  package struct Log: Sendable {
    /// The log after a version, oldest first; nil where there is no such account.
    package let page:
      @Sendable (Account.ID, _ after: Version, _ limit: Int) throws(StoreError) -> LogPage?
    /// The same, with those of its edits that change a goal. At most so many edits are looked at
    /// that no other reader waits long.
    package let search:
      @Sendable (Account.ID, Goal.ID, _ after: Version, _ limit: Int) throws(StoreError)
        -> LogPage?
    package let entry: @Sendable (Account.ID, Edit.ID) throws(StoreError) -> LogEntry?
    /// A state on the way to that at a version of the log: some edits are folded, few enough that
    /// no other reader waits long, from the log's start or from an earlier state of the account.
    /// Nil where there is no such account or no such version.
    package let advance:
      @Sendable (Account.ID, _ to: Version, _ earlier: Snapshot?) throws(StoreError) -> Snapshot?
  }

  package struct Book: Sendable {
    package let accounts: @Sendable () throws(StoreError) -> [AccountRecord]
    package let account: @Sendable (Account.ID) throws(StoreError) -> AccountRecord?
    /// In which time zone each account is. Reads a row of every account.
    package let timeZones: @Sendable () throws(StoreError) -> [Account.ID: ZoneName]
    /// How many accounts there are.
    package let count: @Sendable () throws(StoreError) -> Int
    /// What each account's log takes.
    package let logBytes: @Sendable () throws(StoreError) -> [Account.ID: Int]
    /// Adds an account with its first token, or a link for one: all or nothing.
    package let addAccount:
      @Sendable (AccountRecord, TokenRecord?, LinkRecord?) throws(StoreError) -> Void
    /// The same for somebody who signs up; false where there are so many accounts already.
    package let signUp:
      @Sendable (AccountRecord, TokenRecord, _ maximum: Int) throws(StoreError) -> Bool
    /// Calls an account otherwise; false where there is none.
    package let renameAccount: @Sendable (Account.ID, _ to: String) throws(StoreError) -> Bool
    /// Takes note that the account's time zone was named.
    package let recordChoiceOfZone: @Sendable (Account.ID) throws(StoreError) -> Void
    /// False where there is no such account.
    package let removeAccount: @Sendable (Account.ID) throws(StoreError) -> Bool
    /// The tokens of an account, oldest first, revoked ones too.
    package let tokens: @Sendable (Account.ID) throws(StoreError) -> [TokenRecord]
    /// The same, without the revoked ones.
    package let tokensInUse: @Sendable (Account.ID) throws(StoreError) -> [TokenRecord]
    /// The token whose text has this SHA-256.
    package let token: @Sendable (_ secret: [UInt8]) throws(StoreError) -> TokenRecord?
    /// False where its account has as many tokens as it may. Throws `.refused` where the
    /// token or session that asks has ended.
    package let addToken: @Sendable (TokenRecord, _ by: Authority?) throws(StoreError) -> Bool
    /// Revokes a token with all that were made with it, and answers their ids: none where the
    /// account has no such token that is not revoked. Throws `.refused` where the token or session
    /// that asks has ended.
    package let revokeToken:
      @Sendable (TokenRecord.ID, _ of: Account.ID, _ by: Authority?) throws(StoreError)
        -> [TokenRecord.ID]
    /// Adds a link. False where its account has as many as it may. Throws `.refused` where the
    /// token or session that asks has ended.
    package let addLink:
      @Sendable (LinkRecord, _ at: Instant, _ by: Authority?) throws(StoreError) -> Bool
    /// The link whose code has this SHA-256, also where it has ended.
    package let link: @Sendable (_ secret: [UInt8]) throws(StoreError) -> LinkRecord?
    /// Uses the link whose code has this SHA-256: makes its token, and the session that is asked
    /// for with it.
    package let useLink:
      @Sendable (
        _ secret: [UInt8], _ at: Instant, (LinkRecord) -> TokenRecord,
        ((TokenRecord) -> SessionRecord)?
      ) throws(StoreError) -> LinkUse
    /// The session whose cookie has this SHA-256, with its token.
    package let session:
      @Sendable (_ secret: [UInt8]) throws(StoreError) -> (SessionRecord, TokenRecord)?
    /// Adds a session; where its token has as many as it may, the one that was renewed longest ago
    /// ends. Answers with the secrets of those that it takes the place of. Throws `.refused` where
    /// the token is revoked.
    package let addSession: @Sendable (SessionRecord) throws(StoreError) -> [[UInt8]]
    /// False where there is none.
    package let endSession: @Sendable (_ secret: [UInt8]) throws(StoreError) -> Bool
    /// Takes note of when sessions were renewed, by their secrets, all of them in one transaction.
    package let renewSessions: @Sendable ([[UInt8]: Instant]) throws(StoreError) -> Void
    /// Takes note of when tokens were last used, all of them in one transaction.
    package let recordUses: @Sendable ([TokenRecord.ID: Instant]) throws(StoreError) -> Void
  }

  package struct Upkeep: Sendable {
    /// What came of the last attempt to commit edits, or of the last probe; nil before the first,
    /// and if the database is no longer in its place.
    package let lastWrite: @Sendable () -> WriteOutcome?
    /// Whether the disk takes a write: learned by making one.
    package let probe: @Sendable () throws(StoreError) -> Void
    /// Throws if the database is no longer in its place. It costs a few system calls.
    package var checkPlace: @Sendable () throws(StoreError) -> Void = { () throws(StoreError) in }
    /// Everything that is wrong with the storage, and the first thing with each account.
    package let verify: @Sendable () throws(StoreError) -> [String]
    /// How much there is to do and to hold at the moment.
    package let gauges: @Sendable () -> StoreGauges
    /// Reads a row of every account.
    package let accounts: @Sendable () throws(StoreError) -> StoreGauges.Accounts
    /// Writes a verified copy of everything into a new file. One at a time; the writer goes on
    /// meanwhile, and what it commits before the copy is whole is in it.
    package let backUp: @Sendable (_ path: String) throws(BackupError) -> BackupReport
  }
}

extension Store {
  /// What can be learned of other stores of the same log. These read on the calling thread.
  package struct Others: Sendable {
    /// The published state of an account, where it is in memory and is still that of the log.
    package let presentState: @Sendable (Account.ID) throws(StoreError) -> Published?
    /// Where the log of each account ends that there is.
    package let heads: @Sendable ([Account.ID]) throws(StoreError) -> [Account.ID: Head]
    /// Those of these tokens and sessions that are there no more, or revoked, by whichever store.
    package let ended: @Sendable (_ of: [Ended]) throws(StoreError) -> [Ended]
    /// Begins to call back with accounts in which others may have recorded something, on any
    /// thread, where it does not do that already. It may miss any, be wrong, and end by itself.
    package let listen: @Sendable (@escaping @Sendable ([Account.ID]) -> Void) -> Void
  }
}

/// What a store does not know by itself.
package struct StoreEnvironment: Sendable {
  package let now: @Sendable () -> Instant
  /// Looks a time zone up. Asked once a name and round of decisions, on the writer's queue.
  package let zone: @Sendable (ZoneName) -> ZoneLookup
  /// The time since some moment, by which what takes time is measured.
  package let uptime: @Sendable () -> Duration
  /// Calls back on a queue, after at least this time.
  package let later: @Sendable (Duration, DispatchQueue, @escaping @Sendable () -> Void) -> Void
  /// The largest number of goals in a list.
  package let maximumGoals: Int
  /// How many bytes an account's log takes at most, but for what one transaction adds.
  package let maximumLogBytes: Int
  /// The same of an account that was made by sign-up.
  package let signUpLogBytes: Int
  /// Told of everything that an operator should know.
  package let track: @Sendable (StoreEvent) -> Void

  package init(
    now: @escaping @Sendable () -> Instant, zone: @escaping @Sendable (ZoneName) -> ZoneLookup,
    uptime: @escaping @Sendable () -> Duration = { .zero },
    later: @escaping @Sendable (Duration, DispatchQueue, @escaping @Sendable () -> Void) -> Void =
      { _, queue, body in queue.async(execute: body) },
    maximumGoals: Int = AccountState.maximumGoals,
    maximumLogBytes: Int = AccountState.maximumLogBytes,
    signUpLogBytes: Int = AccountState.maximumSignUpLogBytes,
    track: @escaping @Sendable (StoreEvent) -> Void
  ) {
    self.now = now
    self.zone = zone
    self.uptime = uptime
    self.later = later
    self.maximumGoals = maximumGoals
    self.maximumLogBytes = maximumLogBytes
    self.signUpLogBytes = signUpLogBytes
    self.track = track
  }
}

/// Whether the disk took what was written.
package struct WriteOutcome: Hashable, Sendable {
  package let isDurable: Bool
  package let at: Instant
}

/// What happened in a store.
package enum StoreEvent: Hashable, Sendable {
  case writer(Tracked)
  /// A transaction of so many edits was made durable, which took this long.
  case persisted(edits: Int, Duration)
  /// A transaction of so many requests failed, or may have failed.
  case unrecorded(requests: Int, StoreError)
  /// Something else failed, and its client was told.
  case failed(StoreError)
  /// The connection that writes was closed after a failure, and opened again.
  case reopened
  /// A probe was written.
  case probed
  /// The database allows something that is dangerous, in a sentence.
  case risk(String)
}

extension Store {
  /// About how many bytes of states are kept in memory.
  package static let cacheLimit = 64 << 20

  init(
    _ engine: StoreEngine,
    backUp: @escaping @Sendable (String) throws(BackupError) -> BackupReport = {
      _ throws(BackupError) in throw .store(.other("a store in memory has no file to copy"))
    }
  ) {
    self.init(
      state: engine.state,
      stateInMemory: { engine.isLogShared ? nil : engine.cache.published($0) },
      maximumGoals: engine.environment.maximumGoals,
      submit: engine.submit,
      beginImport: { Import(of: $0, into: $1, by: $2, engine) },
      updated: engine.commits.outlet,
      log: Log(
        page: engine.page,
        search: engine.search,
        entry: engine.entry,
        advance: engine.advance),
      book: .init(engine),
      upkeep: Upkeep(
        lastWrite: { engine.lastWrite },
        probe: engine.probe,
        checkPlace: engine.checkPlace,
        verify: { () throws(StoreError) in try engine.read(.whole) { try $0.faults() } },
        gauges: { engine.gauges }, accounts: engine.accountGauges, backUp: backUp),
      others: engine.isLogShared ? Others(engine) : nil,
      reset: engine.removeEverything,
      destroy: engine.close)
  }
}

extension Store.Others {
  fileprivate init(_ engine: StoreEngine) {
    presentState = engine.present
    heads = { accounts throws(StoreError) in try inStore { try engine.backing.heads(of: accounts) }
    }
    ended = { known throws(StoreError) in try inStore { try engine.backing.ended(of: known) } }
    listen = { engine.backing.listen($0) }
  }
}
