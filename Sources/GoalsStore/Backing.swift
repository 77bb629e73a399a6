import Dispatch
import GoalsCore

/// What can be read of a store's data. Each call sees one moment of it.
protocol StoreReader {
  /// Has all that `body` reads see the same moment.
  func consistently<Result>(_ body: () throws -> Result) throws -> Result
  /// An account's state as it is recorded; nil where there is no such account.
  func snapshot(of account: Account.ID) throws -> Snapshot?
  /// Told of all the ids that `recorded` is asked for next, so that they can be read together.
  func foresee(_ ids: [Account.ID: [Edit.ID]]) throws
  /// Those of the edits that are recorded, with the chains of undo they belong to.
  func recorded(_ ids: [Edit.ID], in account: Account.ID) throws -> RecordedEdits
  /// The log after a version; nil where there is no such account.
  func page(of account: Account.ID, after version: Version, limit: Int) throws -> LogPage?
  /// The same, with those of its edits that change a goal.
  func search(
    for goal: Goal.ID, of account: Account.ID, after version: Version, limit: Int
  ) throws -> LogPage?
  func entry(_ id: Edit.ID, in account: Account.ID) throws -> LogEntry?
  /// What a past state was after the next edits of the log, up to a version and at most `limit`.
  func advanced(
    _ snapshot: Snapshot, of account: Account.ID, upTo version: Version, limit: Int
  ) throws -> Snapshot
  func account(_ id: Account.ID) throws -> AccountRecord?
  /// What each account's log takes.
  func logBytes() throws -> [Account.ID: Int]
  /// Whether an account was made by sign-up.
  func isSignedUp(_ account: Account.ID) throws -> Bool
  /// All such accounts.
  func signedUp() throws -> Set<Account.ID>
  func accountCount() throws -> Int
  /// In the order in which they were made.
  func accounts() throws -> [AccountRecord]
  func timeZones() throws -> [Account.ID: ZoneName]
  /// The token whose text has this SHA-256, revoked or not.
  func token(secret: [UInt8]) throws -> TokenRecord?
  /// The tokens of an account, oldest first, revoked ones too.
  func tokens(of account: Account.ID) throws -> [TokenRecord]
  /// The same, without the revoked ones, of which there may be thousands.
  func tokensInUse(of account: Account.ID) throws -> [TokenRecord]
  func tokenCount(of account: Account.ID) throws -> TokenCount
  /// The link whose code has this SHA-256, also where it has ended.
  func link(secret: [UInt8]) throws -> LinkRecord?
  /// Those of an account, the one that ends first before the others.
  func links(of account: Account.ID) throws -> [LinkRecord]
  /// The session whose cookie has this SHA-256, with its token.
  func session(secret: [UInt8]) throws -> (SessionRecord, TokenRecord)?
  /// The first thing that is wrong with what is stored of an account, in a sentence; nil where the
  /// chain holds and the log folded again is the snapshot.
  func firstFault(of account: Account.ID) throws -> String?
  /// What is wrong with the storage itself.
  func storageFaults() throws -> [String]
  /// Everything that is wrong with the storage, and the first thing with each account.
  func faults() throws -> [String]
}

/// How long a read may take, so that a short one never waits behind a long one.
enum ReadLength {
  /// A few rows.
  case short
  /// A page of the log, or a state.
  case long
  /// Something of every account: 0.1 s for 10,000 of them, for which no client waits.
  case overview
  /// All that is stored.
  case whole
}

/// What can be written in one transaction, and read in it.
protocol StoreTransaction: StoreReader {
  /// Whether somebody would still be let in; if so, until the transaction is over.
  func admits(_ asker: Authority) throws -> Bool
  /// How many accounts there are. Another transaction that asks for this waits until this one
  /// is over.
  func accountCountAlone() throws -> Int
  /// Adds an account, with its first token if it is to have one.
  func add(_ account: AccountRecord, with token: TokenRecord?) throws
  /// Calls an account otherwise; false where there is none.
  func rename(_ account: Account.ID, to name: String) throws -> Bool
  /// Takes note that the account's time zone was named; nothing where there is none.
  func recordChoiceOfZone(of account: Account.ID) throws
  /// Takes in a portion of a log that is to become an account's. Nobody reads any of it. What is
  /// left of one when the store is closed is removed when it is opened again.
  func stage(_ portion: StagedLog.Portion, of log: inout StagedLog) throws
  /// Gives an account whose log is empty a log of which all portions were taken in, with
  /// `namesZone`. False where another store has recorded something in it since.
  func fill(_ account: Account.ID, with log: StagedLog) throws -> Bool
  /// Removes a portion of what was taken in of a log that is not wanted any more; true once nothing
  /// is left.
  func discard(_ log: StagedLog) throws -> Bool
  /// False where there is no such account.
  func remove(_ account: Account.ID) throws -> Bool
  func add(_ token: TokenRecord) throws
  /// Revokes a token, and ends its sessions. False where the account has no such token, and where
  /// it is revoked already. For callers: `revoke(_:andAllMadeWithItOf:at:)`.
  func revoke(_ token: TokenRecord.ID, of account: Account.ID, at now: Instant) throws -> Bool
  func add(_ link: LinkRecord) throws
  /// False where there is none, be it that it was used meanwhile.
  func removeLink(secret: [UInt8]) throws -> Bool
  /// Adds a session; those of its token that were renewed longest ago make room for it.
  /// Answers with the secrets of those that made room for it.
  func add(_ session: SessionRecord) throws -> [[UInt8]]
  /// False where there is none.
  func endSession(secret: [UInt8]) throws -> Bool
  func renewSessions(_ renewals: [[UInt8]: Instant]) throws
  func recordUses(_ uses: [TokenRecord.ID: Instant]) throws
  /// Writes something of no meaning.
  func probe(at now: Instant) throws
}

/// What came of a transaction of edits.
struct Persisted {
  /// Those of each account's edits that are recorded, in order.
  var seals: [Account.ID: [Seal]]
  /// The accounts that another store of the same log has changed since they were read. Nothing of
  /// theirs is written.
  var overtaken: Set<Account.ID> = []
  /// The overtaken accounts whose rows another transaction may hold. Trying again is in vain until
  /// that transaction ends.
  var held: Set<Account.ID> = []
  /// The accounts of which an edit is recorded already. Nothing of theirs is written.
  var known: Set<Account.ID> = []
}

/// Where an account's log ends.
package struct Head: Hashable, Sendable {
  package let version: Version
  package let chain: Chain
}

/// Reads and records rounds of edits, one after the other.
protocol Recorder: AnyObject, Sendable {
  /// The queue on which every function of the recorder is called, away from the writer's queue. Nil
  /// for the writer's queue itself, where nothing takes longer than the disk does.
  var queue: DispatchQueue? { get }
  /// What a round reads: everything that is recorded.
  func writersView() throws -> any StoreReader
  /// Records edits in one durable transaction. With an edit that names a time zone, it also records
  /// that the account's time zone was chosen. After an error nothing of it is written, but for
  /// `StoreError.unknown`.
  ///
  /// - Parameters:
  ///   - books: where the book of each account stood when the edits were decided, of a log that is
  ///     shared. One that was changed since is overtaken.
  ///   - isWaiting: whether it waits for an account's row that another transaction holds.
  func persist(
    _ writes: [Write], on books: [Account.ID: BookHead], isWaiting: Bool
  ) throws -> Persisted
  /// Lets go of what a failed write may have left behind.
  func reopen() throws
}

/// Where a store keeps its data: SQLite, PostgreSQL, or memory in tests
/// (docs/decisions/0013-seam.md). Where the log is not shared, all of it is called on the writer's
/// queue, but for `read`; else on any thread.
protocol Backing: AnyObject, Sendable {
  /// Each recorder may have a round on its way. No account is in two of these rounds.
  var recorders: [any Recorder] { get }

  /// Reads on whatever thread this is, beside the writer.
  func read<Result>(
    _ length: ReadLength, _ body: (any StoreReader) throws -> Result
  ) throws -> Result

  /// Writes anything but edits in one durable transaction. After an error nothing of it is written.
  func write<Result>(_ body: (any StoreTransaction) throws -> Result) throws -> Result
  /// The same for what takes long. Nothing else waits for it where several can write at once.
  func writeLong<Result>(_ body: (any StoreTransaction) throws -> Result) throws -> Result
  /// Begins to copy everything into an empty file. Closing the connection that writes, for whatever
  /// reason, ends the copy.
  func beginCopy(to path: String) throws
  /// Copies some more; true once the copy is whole. After an error there is no copy.
  func continueCopy() throws -> Bool
  func close()
  /// Throws if what is written would go elsewhere than where it is looked for. On any thread.
  func checkPlace() throws
  /// How large what is stored is; the rest of the gauges is the store's to fill in.
  var sizes: StoreGauges { get }
  /// Whether other stores, in other processes, write the same log.
  var isLogShared: Bool { get }
  /// Where the logs of these accounts end; an account that is gone is left out. Asked only where
  /// the log is shared.
  func heads(of accounts: [Account.ID]) throws -> [Account.ID: Head]
  /// Those of these tokens and sessions that are there no more, or revoked, by whichever store;
  /// asked only where the log is shared.
  func ended(of known: [Ended]) throws -> [Ended]
  /// Begins to call back with accounts in which other stores of a shared log may have recorded
  /// something. Does nothing where it calls back already. Calls may be missing or wrong, and may
  /// end by themselves.
  func listen(_ heard: @escaping @Sendable ([Account.ID]) -> Void)
}

extension Recorder {
  var queue: DispatchQueue? { nil }
}

extension Backing where Self: Recorder {
  var recorders: [any Recorder] { [self] }
}

extension Backing {
  func writeLong<Result>(_ body: (any StoreTransaction) throws -> Result) throws -> Result {
    try write(body)
  }

  func checkPlace() throws {}
  var isLogShared: Bool { false }
  func heads(of accounts: [Account.ID]) throws -> [Account.ID: Head] { [:] }
  func ended(of known: [Ended]) throws -> [Ended] { [] }
  func listen(_ heard: @escaping @Sendable ([Account.ID]) -> Void) {}

  // What is not kept in a file can't be copied.
  func beginCopy(to path: String) throws { throw StoreError.other("there is no file to copy") }
  func continueCopy() throws -> Bool { throw StoreError.other("no copy was begun") }
}

extension StoreTransaction {
  func accountCountAlone() throws -> Int { try accountCount() }

  /// Revokes a token with all that were made with it, and removes their links. Answers the ids of
  /// those that it revoked: none where the account has no such token that is not revoked.
  func revoke(
    _ token: TokenRecord.ID, andAllMadeWithItOf account: Account.ID, at now: Instant
  ) throws -> [TokenRecord.ID] {
    guard try revoke(token, of: account, at: now) else { return [] }
    var revoked: Set = [token]
    // Asked anew until nothing is found: what a token makes waits for its revocation, or is seen
    // after it.
    while true {
      let made = try tokensInUse(of: account).made(with: revoked)
      for one in made where try revoke(one, of: account, at: now) { revoked.insert(one) }
      if made.isEmpty { break }
    }
    for link in try links(of: account) where link.madeBy.map(revoked.contains) ?? false {
      _ = try removeLink(secret: link.secret)
    }
    return [token] + revoked.subtracting([token]).sorted()
  }

  /// Adds a link, and removes those of its account that have ended. False where the account has as
  /// many links as it may.
  func add(_ link: LinkRecord, at now: Instant) throws -> Bool {
    var links = try links(of: link.account)
    for ended in links.prefix(while: { $0.endsAt <= now }) {
      _ = try removeLink(secret: ended.secret)
    }
    links.removeAll { $0.endsAt <= now }
    guard links.count < LinkRecord.maximumPerAccount else { return false }
    try add(link)
    return true
  }

  /// Makes the token of a link, whose code works no second time, and a session with it where one is
  /// asked for.
  func use(
    link secret: [UInt8], at now: Instant, _ makeToken: (LinkRecord) -> TokenRecord,
    _ makeSession: ((TokenRecord) -> SessionRecord)?
  ) throws -> LinkUse {
    guard let link = try link(secret: secret), now < link.endsAt else { return .unknown }
    // A revocation of the maker waits for this transaction, or has taken the link away.
    if let maker = link.madeBy, !(try admits(Authority(token: maker))) { return .unknown }
    guard !(try tokenCount(of: link.account).isFull) else { return .tooManyTokens }
    guard try removeLink(secret: secret) else { return .unknown }
    let token = makeToken(link)
    try add(token)
    if let session = makeSession?(token) { _ = try add(session) }
    return .used(token)
  }

  /// Throws `.refused` where the token or session that asks for the transaction has ended.
  /// - Parameter asker: nil for an operator.
  func admit(_ asker: Authority?) throws {
    guard let asker else { return }
    guard try admits(asker) else { throw StoreError.refused }
  }
}

extension [TokenRecord] {
  /// Those of these tokens that others have made, or tokens that these have made, and so on.
  func made(with makers: Set<TokenRecord.ID>) -> [TokenRecord.ID] {
    let children = Dictionary(grouping: self) { $0.madeBy }.mapValues { $0.map(\.id) }
    var made: [TokenRecord.ID] = makers.sorted().flatMap { children[$0] ?? [] }
    var next = 0
    while next < made.count {
      made += children[made[next]] ?? []
      next += 1
    }
    return made
  }
}

extension StoreReader {
  func foresee(_ ids: [Account.ID: [Edit.ID]]) throws {}

  func faults() throws -> [String] {
    try storageFaults() + accountFaults { try firstFault(of: $0) }
  }

  /// What `firstFault` finds of each account.
  func accountFaults(_ firstFault: (Account.ID) throws -> String?) throws -> [String] {
    var faults: [String] = []
    do throws(StoreError) {
      try inStore {
        for account in try accounts() {
          if let fault = try firstFault(account.id) { faults.append(fault) }
        }
      }
    } catch .corrupt(let fault) {
      faults.append(fault)
    }
    return faults
  }
}
