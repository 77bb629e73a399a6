import GoalsCore
import GoalsStore

/// Making accounts, reading and configuring one, and what an operator does with all of them.
package enum AccountUseCase: Sendable {
  case read(Account.ID, Completion<AccountView>)
  /// Makes one with its first token, both or neither: by sign-up, of which there is a maximum, or
  /// by an operator. Names are labels and need not be unique.
  case add(AskedAccount, tokenName: String, isSignUp: Bool, Completion<NewAccount>)
  /// Sends a `configure`, and reads the account after it.
  case configure(Store.Change, Completion<ConfiguredAccount>)
  /// All of them, in the order in which they were made.
  case list(Completion<[ListedAccount]>)
  /// By an id, or by a name that only one has.
  case find(String, Completion<AccountRecord>)
  /// Removes an account with everything of it.
  case remove(Account.ID, Completion<Void>)
  /// A time zone that an account may be in.
  case zone(ZoneName, Completion<Zone>)
}

/// An account as it reads at a moment.
package struct AccountView: Sendable {
  let record: AccountRecord
  let calendar: CalendarSettings
  let cursor: Cursor

  fileprivate static func read(
    _ id: Account.ID, in store: Store
  ) throws(StoreError) -> Result<AccountView, Failure> {
    guard let record = try store.book.account(id), let published = try store.state(id) else {
      return .failure(.unknownAccount)
    }
    return .success(
      AccountView(record: record, calendar: published.state.calendar, cursor: Cursor(published)))
  }
}

/// An account that was made, with its first token, whose text is told this once.
package struct NewAccount: Sendable {
  let account: AccountView
  let token: Token
}

package struct ConfiguredAccount: Sendable {
  let batch: DecidedBatch
  let account: AccountView
}

package struct ListedAccount: Sendable {
  let record: AccountRecord
  /// What its log takes of its quota.
  let logBytes: Int?
}

func accountFeature(
  _ access: Access, _ queues: Queues, _ submit: @escaping Submission
) -> Feature<AccountUseCase> {
  let (store, world) = (access.store, access.world)
  return { useCase in
    switch useCase {
    case .read(let id, let completion):
      queues.reads.complete(completion, in: world) { () throws(StoreError) in
        try AccountView.read(id, in: store)
      }
    case .add(let asked, let tokenName, let isSignUp, let completion):
      queues.access.complete(completion, in: world) { () throws(StoreError) in
        if isSignUp, try store.book.count() >= access.maximumAccounts {
          return .failure(.tooManyAccounts)
        }
        let record = asked.record(in: world)
        let token = Token(random: world.random)
        let first = TokenRecord(
          id: world.makeID(), account: record.id, name: tokenName, scope: .write,
          secret: token.secret, createdAt: record.createdAt)
        try store.book.addAccount(record, first)
        return try AccountView.read(record.id, in: store).map {
          NewAccount(account: $0, token: token)
        }
      }
    case .configure(let change, let completion):
      submit(change) { result in
        queues.reads.complete(completion, in: world) { () throws(StoreError) in
          switch result {
          case .failure(let failure): return .failure(failure)
          case .success(let batch):
            guard let state = batch.ruling.state else { return .failure(.unforeseen) }
            guard let record = try store.book.account(change.account) else {
              return .failure(.unknownAccount)
            }
            let view = AccountView(record: record, calendar: state.calendar, cursor: batch.cursor)
            return .success(ConfiguredAccount(batch: batch, account: view))
          }
        }
      }
    case .list(let completion):
      queues.reads.complete(completion, in: world) { () throws(StoreError) in
        let bytes = try store.book.logBytes()
        return .success(
          try store.book.accounts().map { ListedAccount(record: $0, logBytes: bytes[$0.id]) })
      }
    case .find(let reference, let completion):
      queues.reads.complete(completion, in: world) { () throws(StoreError) in
        account(reference, among: try store.book.accounts())
      }
    case .remove(let id, let completion):
      queues.access.complete(completion, in: world) { () throws(StoreError) in
        guard try store.book.removeAccount(id) else { return .failure(.unknownAccount) }
        access.authenticator.end(.account(id))
        return .success(())
      }
    case .zone(let name, let completion): queues.reads.async { completion(world.zone(name).result) }
    }
  }
}

extension ZoneLookup {
  /// The zone, or why it can't be had.
  fileprivate var result: Result<Zone, Failure> {
    switch self {
    case .found(let zone): .success(zone)
    case .unknown: .failure(.unknownZone)
    case .unavailable: .failure(.noCalendar)
    }
  }
}

/// The account of an id, or of a name that only one has.
private func account(
  _ reference: String, among accounts: [AccountRecord]
) -> Result<AccountRecord, Failure> {
  if let id = Account.ID(reference), let account = accounts.first(where: { $0.id == id }) {
    return .success(account)
  }
  let named = accounts.filter { $0.name == reference }
  guard named.count < 2 else { return .failure(.ambiguousName(accounts: named.count)) }
  return named.first.orFailure(.unknownAccount)
}
