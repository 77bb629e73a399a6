import GoalsCore
import GoalsStore
import GoalsWire
import JSON

/// What an operator does with accounts and tokens: the same beside a running server, which does it,
/// and without one.
package struct Administration: Sendable {
  private let access: Access
  var store: Store { access.store }

  package init(_ access: Access) { self.access = access }

  /// Carries a command out. Blocks until what it changes is durable.
  package func perform(_ command: AdminCommand) -> AdminReply {
    do throws(AdminError) {
      return try answer(command)
    } catch {
      return .failed(error.sentence)
    }
  }

  private func answer(_ command: AdminCommand) throws(AdminError) -> AdminReply {
    switch command {
    case .addAccount(let name, let timeZone):
      return .addedAccount(try addAccount(name, timeZone: timeZone))
    case .listAccounts:
      return try storing { () throws(StoreError) in
        let bytes = try store.book.logBytes()
        return .accounts(try store.book.accounts().map { $0.listed(logBytes: bytes[$0.id]) })
      }
    case .removeAccount(let reference):
      let account = try account(reference)
      let isRemoved = try storing { () throws(StoreError) in
        try access.removeAccount(account.id)
      }
      guard isRemoved else { throw AdminError("There is no account \(reference).") }
      return .removedAccount(account.listed(logBytes: nil))
    case .addToken(let token):
      return .addedToken(try addToken(token))
    case .listTokens(let reference):
      let account = try account(reference)
      let tokens = try storing { () throws(StoreError) in try access.tokens(of: account.id) }
      return .tokens(tokens.map(\.listed))
    case .revokeToken(let text):
      let id = TokenRecord.ID(text)
      let isRevoked = try id.map { id throws(AdminError) in
        try storing { () throws(StoreError) in try access.revokeToken(id, of: nil) }
      }
      guard isRevoked == true else { throw AdminError("There is no token \(text).") }
      return .revokedToken(text)
    case .export:
      throw AdminError("An export is not answered but written.")
    case .verify:
      let faults = try storing { () throws(StoreError) in try store.upkeep.verify() }
      let accounts = try storing { () throws(StoreError) in try store.book.accounts() }
      return .verified(accounts: accounts.count, faults: faults)
    case .backUp(let path):
      return .backedUp(try backUp(to: path))
    }
  }

  /// The log of an account, to be written somewhere.
  package func export(of reference: String) throws(AdminError) -> ExportReader {
    let account = try account(reference)
    let reader = try storing { () throws(StoreError) in
      try ExportReader.make(of: account.id, in: store)
    }
    guard let reader else { throw AdminError("There is no account \(reference).") }
    return reader
  }

  /// Takes note of a failure of the store.
  func tell(_ error: StoreError) { access.world.track(.store(.failed(error))) }

  /// Makes an export the log of an account that has none.
  package func importLog(
    _ bytes: [UInt8], into reference: String
  ) throws(AdminError) -> AdminReply.ImportedLog {
    let account = try account(reference)
    let take = importing(bytes, into: account.id, of: store, in: access.world)
    let result = try storing { () throws(StoreError) in
      while true {
        if let result = try take(Folds.steps) { return result }
      }
    }
    switch result {
    case .success(let cursor):
      return AdminReply.ImportedLog(
        id: account.id.description, name: account.name,
        version: cursor.head.version.number, cursor: cursor.description)
    case .failure(.noExport(let fault)):
      throw AdminError("Line \(fault.line): \(fault.detail). Nothing was imported.")
    case .failure(.accountFull):
      throw AdminError("The export takes more than an account's log may.")
    case .failure(.accountNotEmpty):
      throw AdminError(
        "Something is recorded in account \(account.name) already: an import needs one without edits."
      )
    case .failure(.noCalendar):
      throw AdminError(
        "A time zone that the export names can't be read at the moment. Nothing was imported.")
    case .failure:
      throw AdminError("There is no account \(reference).")
    }
  }

  /// Makes an account with its first token. Names are labels and need not be unique.
  package func addAccount(
    _ name: String, timeZone: String?, tokenName: String = "first token"
  ) throws(AdminError) -> AdminReply.NewAccount {
    let asked = try Self.askedNow(name, timeZone: timeZone, in: access.world)
    let made = try storing { () throws(StoreError) in
      try access.addAccount(asked, tokenName: tokenName)
    }
    return AdminReply.NewAccount(
      id: made.record.id.description, name: made.record.name, token: made.token.text)
  }

  /// An account as an operator asks for it, whether or not its zone can be had now.
  static func asked(
    _ name: String, timeZone: String?, in world: World
  ) throws(AdminError) -> AskedAccount {
    try valid(
      AskedAccount.read(try object([("name", name), ("timeZone", timeZone)]).root, in: world))
  }

  private static func askedNow(
    _ name: String, timeZone: String?, in world: World
  ) throws(AdminError) -> AskedAccount {
    let asked = try asked(name, timeZone: timeZone, in: world)
    guard asked.hasZone(in: world) else {
      throw AdminError("The time zone \(asked.timeZone) can't be read at the moment.")
    }
    return asked
  }

  private func addToken(_ new: AdminCommand.NewToken) throws(AdminError) -> AdminReply.NewToken {
    let account = try account(new.account)
    let words = [
      ("name", new.name), ("scope", new.scope), ("goal", new.goal), ("expiresAt", new.expires),
    ]
    let asked = try Self.valid(
      AskedToken.read(try Self.object(words).root, at: access.world.now()))
    let answer = try storing { () throws(StoreError) in
      try access.addToken(asked, to: account.id)
    }
    switch answer {
    case .added(let record, let token):
      return AdminReply.NewToken(listed: record.listed, token: token.text)
    case .unknownAccount: throw AdminError("There is no account \(new.account).")
    case .unknownGoal(let goal): throw AdminError("The account has no goal \(goal).")
    case .full: throw AdminError("The account has as many tokens as it may have.")
    }
  }

  /// Why a command can't be carried out on any database; nil where that depends on what is stored.
  package static func refusal(of command: AdminCommand, in world: World) -> AdminError? {
    guard case .addAccount(let name, let timeZone) = command else { return nil }
    do throws(AdminError) {
      _ = try askedNow(name, timeZone: timeZone, in: world)
      return nil
    } catch {
      return error
    }
  }

  /// What an operator asks for in words as a client would write it, so that the same rules read it.
  private static func object(_ words: [(String, String?)]) throws(AdminError) -> JSONDocument {
    var json = JSONWriter()
    json.object { json in
      for case (let name, let word?) in words { json.member(named: name, word) }
    }
    do throws(JSONError) {
      return try JSONDocument(parsing: json.bytes)
    } catch {
      throw AdminError(error.description)
    }
  }

  private static func valid<Value>(_ validated: Validated<Value>) throws(AdminError) -> Value {
    switch validated {
    case .valid(let value): return value
    case .invalid(let faults):
      let sentence = faults.map(\.detail).joined(separator: "; ")
      throw AdminError("\(sentence.prefix(1).uppercased())\(sentence.dropFirst()).")
    }
  }

  /// The account of an id, or of a name that only one has.
  private func account(_ reference: String) throws(AdminError) -> AccountRecord {
    let accounts = try storing { () throws(StoreError) in try store.book.accounts() }
    if let id = Account.ID(reference), let account = accounts.first(where: { $0.id == id }) {
      return account
    }
    let named = accounts.filter { $0.name == reference }
    guard let account = named.first else { throw AdminError("There is no account \(reference).") }
    guard named.count == 1 else {
      throw AdminError("\(named.count) accounts are called \(reference): use an id.")
    }
    return account
  }

  private func storing<Result>(
    _ body: () throws(StoreError) -> Result
  ) throws(AdminError) -> Result {
    do throws(StoreError) {
      return try body()
    } catch {
      tell(error)
      throw AdminError(error.description)
    }
  }
}

/// Why a command was not carried out, in one line.
package struct AdminError: Error, Hashable, Sendable {
  package let sentence: String

  /// What an operator wrote may be quoted in it: its line ends become spaces.
  package init(_ sentence: String) {
    self.sentence = sentence.split(whereSeparator: \.isNewline).joined(separator: " ")
  }
}

extension AccountRecord {
  fileprivate func listed(logBytes: Int?) -> AdminReply.ListedAccount {
    AdminReply.ListedAccount(
      id: id.description, name: name, createdAt: createdAt.description, logBytes: logBytes)
  }
}

extension TokenRecord {
  fileprivate var listed: AdminReply.ListedToken {
    AdminReply.ListedToken(
      id: id.description, name: name, scope: scope.rawValue, goal: goal?.description,
      createdAt: createdAt.description, lastUsedAt: lastUsedAt?.description,
      expiresAt: expiresAt?.description)
  }
}
