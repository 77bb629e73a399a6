import GoalsCore
import GoalsStore
import GoalsWire
import JSON

/// Making accounts, reading and configuring one, and what an operator does with all of them.
package enum AccountUseCase: Sendable {
  /// As it is, or as it was when a version was recorded.
  case read(Account.ID, at: Version?, for: Asker, Completion<AccountView>)
  /// Makes one with its first token, or a link for it, all or nothing: by sign-up, of which there
  /// is a maximum, or by an operator. Names are labels and need not be unique, but an operator's
  /// are: commands go by them.
  case add(AskedAccount, with: FirstToken, isSignUp: Bool, Completion<NewAccount>)
  /// Sends a `configure`, and reads the account after it.
  case configure(AccountPatch, Completion<ConfiguredAccount>)
  /// All of them, in the order in which they were made.
  case list(Completion<[ListedAccount]>)
  /// By an id, or by a name that only one has. `isToGo` says that the account, or a token of it, is
  /// to be removed. A missing account is then told only once it is confirmed that it is missing.
  case find(String, isToGo: Bool, Completion<AccountRecord>)
  /// Calls an account otherwise, by a name that no other has.
  case rename(Account.ID, Title, Completion<Void>)
  case remove(Account.ID, Completion<Void>)
  /// A time zone that an account may be in.
  case zone(ZoneName, Completion<Zone>)
}

/// An account as it reads at a moment.
package struct AccountView: Sendable {
  let record: AccountRecord
  let calendar: CalendarSettings
  let cursor: Cursor

  /// As it is in a state of it.
  fileprivate static func read(
    _ id: Account.ID, _ published: Published, in store: Store
  ) throws -> AccountView {
    AccountView(
      record: try store.book.account(id).or(.unknownAccount),
      calendar: published.state.calendar, cursor: Cursor(published))
  }

  /// Reads the account as it was when a version was recorded, in portions.
  fileprivate static func reading(
    _ id: Account.ID, at version: Version, in store: Store, _ past: PastStates
  ) -> @Sendable (_ steps: Int) throws -> AccountView? {
    let fold = past.folding(of: id, at: version)
    return { _ in
      let record = try store.book.account(id).or(.unknownAccount)
      return try fold().map { snapshot in
        AccountView(
          record: record, calendar: snapshot.state.calendar,
          cursor: Cursor(snapshot.state.version, snapshot.chain))
      }
    }
  }
}

/// By what somebody first gets into an account. It may write.
package enum FirstToken: Sendable {
  case token(name: String)
  /// A link whose code makes the token, until an instant.
  case link(name: String, endsAt: Instant)
}

/// An account that was made, with its first token or a link for it, which are told this once.
package struct NewAccount: Sendable {
  let account: AccountView
  let token: Token?
  let link: NewLink?
}

package struct ConfiguredAccount: Sendable {
  let batch: DecidedBatch
  let account: AccountView

  /// - Parameter record: as it was before the change.
  fileprivate init(
    _ sent: Store.SentBatch, _ batch: DecidedBatch, of record: AccountRecord
  ) throws {
    self.batch = batch
    var record = record
    record.isZoneChosen = record.isZoneChosen || sent.batch.namesZone(by: batch.ruling)
    account = AccountView(
      record: record, calendar: try batch.ruling.state.or(.unforeseen).calendar,
      cursor: batch.cursor)
  }
}

package struct ListedAccount: Sendable {
  let record: AccountRecord
  let timeZone: ZoneName
  /// When one of its tokens was used last, be it revoked since.
  let lastActiveAt: Instant?
  /// What its log takes of its quota.
  let logBytes: Int
}

func accountFeature(
  _ access: Access, _ queues: Queues, _ pastStates: PastStates, _ submit: @escaping Submit
) -> Feature<AccountUseCase> {
  let (store, world) = (access.store, access.world)
  return { useCase in
    switch useCase {
    case .read(let id, let version?, let asker, let completion):
      queues.folds.run(
        of: id, for: asker, in: world,
        AccountView.reading(id, at: version, in: store, pastStates), completion)
    case .read(let id, nil, let asker, let completion):
      queues.state(of: id, for: asker, in: store, world) { state in
        queues.reads.complete(completion, in: world) {
          try AccountView.read(id, state.get(), in: store)
        }
      }
    case .add(let asked, let first, let isSignUp, let completion):
      let record = asked.record(in: world)
      queues.access.complete(of: record.id, completion, in: world) {
        try access.add(record, asked.name, with: first, isSignUp: isSignUp)
      }
    case .configure(let patch, let completion):
      if case .valid(let sent) = patch.sent, patch.isAlone {
        return configure(sent, store, world, queues, submit, completion)
      }
      queues.state(of: patch.account, for: .patient, in: store, world) { state in
        queues.reads.async {
          switch world.catching({ try check(patch, state.get(), store) }) {
          case .success(let sent): configure(sent, store, world, queues, submit, completion)
          case .failure(let failure): completion(.failure(failure))
          }
        }
      }
    case .list(let completion):
      queues.reads.complete(completion, in: world) { try access.accounts() }
    case .find(let reference, let isToGo, let completion):
      queues.reads.complete(completion, in: world) {
        try store.account(named: reference, isToGo: isToGo)
      }
    case .rename(let id, let name, let completion):
      queues.access.complete(of: id, completion, in: world) {
        if try access.isTaken(name, besidesBy: id) { throw Failure.nameTaken(name) }
        guard try store.book.renameAccount(id, name.text) else { throw Failure.unknownAccount }
      }
    case .remove(let id, let completion):
      queues.access.complete(of: id, completion, in: world) {
        guard try store.book.removeAccount(id) else { throw Failure.unknownAccount }
        access.authenticator.end(.account(id))
        world.track(.accountRemoved(id))
      }
    case .zone(let name, let completion):
      queues.reads.complete(completion, in: world) { try world.existingZone(name) }
    }
  }
}

extension World {
  fileprivate func existingZone(_ name: ZoneName) throws(Failure) -> Zone {
    switch zone(name) {
    case .found(let zone): return zone
    case .unknown: throw .unknownZone
    case .unavailable: throw .noCalendar
    }
  }
}

private func configure(
  _ sent: Store.SentBatch, _ store: Store, _ world: World, _ queues: Queues,
  _ submit: @escaping Submit, _ completion: @escaping Completion<ConfiguredAccount>
) {
  // Read before: once the edits are decided nothing fails that would hide what became of them.
  queues.reads.async {
    switch world.catching({ try store.book.account(sent.account).or(.unknownAccount) }) {
    case .failure(let failure): completion(.failure(failure))
    case .success(let record):
      submit(sent) { result in
        completion(world.catching { try ConfiguredAccount(sent, result.get(), of: record) })
      }
    }
  }
}

/// The change to make, where nothing of the patch is wrong. A retry repeats what was so before the
/// patch, and passes.
private func check(
  _ patch: AccountPatch, _ published: Published, _ store: Store
) throws -> Store.SentBatch {
  var recorded: LogEntry?
  if case .valid(let sent) = patch.sent {
    for id in sent.batch.proposals.compactMap(\.id) {
      recorded = try store.log.entry(patch.account, id) ?? recorded
    }
  }
  let account = try AccountView.read(patch.account, published, in: store)
  let faults = recorded == nil ? patch.faults(beside: account) : []
  if let zone = patch.unknownZone, faults == [zone] { throw Failure.unknownTimeZone(zone) }
  guard faults.isEmpty, case .valid(let sent) = patch.sent else {
    throw Failure.invalid(faults)
  }
  guard let (zone, others) = patch.repetition else { return sent }
  let isRepeated = recorded.map { !$0.namesZone } ?? (account.calendar.timeZone == zone)
  return isRepeated ? others : sent
}

extension LogEntry {
  fileprivate var namesZone: Bool {
    guard let document = try? JSONDocument(parsing: payload) else { return false }
    return ObjectReader(document.root).first("timeZone") != nil
  }
}

extension Store {
  /// The account of an id, or of a name that only one has.
  fileprivate func account(named reference: String, isToGo: Bool) throws -> AccountRecord {
    let read = {
      try book.accounts().named(reference, .accounts, by: \.id) { $0.name == reference }
    }
    return try isToGo ? confirmed(or: .unknownAccount, read) : read().or(.unknownAccount)
  }
}

extension Access {
  fileprivate func add(
    _ record: AccountRecord, _ name: Title, with first: FirstToken, isSignUp: Bool
  ) throws -> NewAccount {
    if !isSignUp, try isTaken(name) { throw Failure.nameTaken(name) }
    var token: (text: Token, record: TokenRecord)?
    var link: NewLink?
    switch first {
    case .token(let name):
      let text = Token(random: world.random)
      let record = TokenRecord(
        id: isSignUp ? TokenRecord.ID(ofSignUp: record.id) : world.makeID(), account: record.id,
        name: name, scope: .write, secret: text.secret, createdAt: record.createdAt)
      token = (text, record)
    case .link(let name, let endsAt):
      let code = LinkCode(random: world.random)
      let record = LinkRecord(
        secret: code.secret, account: record.id, name: name, scope: .write, endsAt: endsAt)
      link = NewLink(record: record, code: code)
    }
    if isSignUp, let token {
      guard try store.book.signUp(record, token.record, maximumAccounts) else {
        throw Failure.tooManyAccounts
      }
    } else {
      try store.book.addAccount(record, token?.record, link?.record)
    }
    if let token { world.track(.tokenMade(token.record.id, of: record.id, by: nil)) }
    // Not read again: what fails then would hide that there is an account.
    let snapshot = Snapshot(beginning: record)
    let view = AccountView(
      record: record, calendar: snapshot.state.calendar, cursor: Cursor(.none, snapshot.chain))
    return NewAccount(account: view, token: token?.text, link: link)
  }

  /// Whether another account than this one has the name.
  fileprivate func isTaken(
    _ name: Title, besidesBy id: Account.ID? = nil
  ) throws -> Bool {
    try store.book.accounts().contains { $0.name == name.text && $0.id != id }
  }

  fileprivate func accounts() throws -> [ListedAccount] {
    let (bytes, zones) = (try store.book.logBytes(), try store.book.timeZones())
    var listed: [ListedAccount] = []
    for record in try store.book.accounts() {
      listed.append(
        ListedAccount(
          record: record, timeZone: zones[record.id] ?? record.initialCalendar.timeZone,
          lastActiveAt: used(try store.book.tokens(record.id)).compactMap(\.lastUsedAt).max(),
          logBytes: bytes[record.id] ?? 0))
    }
    return listed
  }
}
