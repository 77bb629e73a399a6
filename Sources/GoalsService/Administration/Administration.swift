import Dispatch
import GoalsCore
import GoalsStore
import GoalsWire
import JSON
import Synchronization

/// The way in for an operator, beside a running server and without one: asks the domain what a
/// command asks, and answers in words.
package struct Administration: Sendable {
  let domain: Domain
  let world: World
  /// Where people reach the server; nil where none runs.
  let address: String?

  package init(_ domain: @escaping Domain, in world: World, address: String? = nil) {
    self.domain = domain
    self.world = world
    self.address = address
  }

  /// The administration of a store that no server has open.
  package init(of store: Store, in world: World) {
    let access = Access(
      store: store, world: world, authenticator: Authenticator(store: store, in: world))
    // No command waits for an edit.
    let domain = makeDomain(access, queues: Queues()) { _, _, _, wake in wake(.timeout) }
    self.init(domain, in: world)
  }

  /// Takes what a command comes to, or why it was not carried out, on any thread.
  package typealias Completion<Value> = @Sendable (Result<Value, AdminError>) -> Void

  /// Carries a command out. What it changes is durable once it is answered.
  package func perform(_ command: AdminCommand, _ reply: @escaping @Sendable (AdminReply) -> Void) {
    do {
      try ask(command) { result in
        switch result {
        case .success(let done): reply(done)
        case .failure(let error): reply(.failed(error.sentence))
        }
      }
    } catch {
      reply(.failed(AdminError(error).sentence))
    }
  }

  /// Carries a command out, and blocks the calling thread until it is answered.
  package func perform(_ command: AdminCommand) -> AdminReply {
    Self.waiting { perform(command, $0) }
  }

  private func ask(
    _ command: AdminCommand, _ completion: @escaping Completion<AdminReply>
  ) throws {
    switch command {
    case .addAccount(let name, let timeZone, let link, let expires):
      let asked = try Self.askedNow(name, timeZone: timeZone, in: world)
      let first =
        link == true
        ? FirstToken.link(name: Self.firstLink, endsAt: try linkEnd(expires))
        : .token(name: Self.firstToken)
      let added = telling(completion) { (new: NewAccount) in
        AdminReply.addedAccount(.init(new, at: address))
      }
      domain(.account(.add(asked, with: first, isSignUp: false, added)))
    case .setAccount(let change):
      let asked = try AskedSettings.read(change, in: world)
      find(change.account, completion) { account in set(asked, of: account, completion) }
    case .listAccounts:
      let listed = telling(completion) { (accounts: [ListedAccount]) in
        AdminReply.accounts(accounts.map { .init($0) })
      }
      domain(.account(.list(listed)))
    case .removeAccount(let reference):
      find(reference, isToGo: true, completion) { account in remove(account, completion) }
    case .listGoals(let reference):
      find(reference, completion) { account in listGoals(of: account, completion) }
    case .addToken(let new):
      find(new.account, completion) { account in
        try add(new, to: account, completion)
      }
    case .listTokens(let reference):
      find(reference, completion) { account in
        let listed = telling(completion) { (tokens: [TokenRecord]) in
          AdminReply.tokens(tokens.map { .init($0) })
        }
        domain(.tokens(.list(of: account.id, for: .patient, listed)))
      }
    case .revokeToken(let reference, of: nil):
      revoke(reference, of: nil, completion)
    case .revokeToken(let reference, of: let account?):
      find(account, isToGo: true, completion) { account in
        revoke(reference, of: account.id, completion)
      }
    case .export:
      throw AdminError("An export is not answered but written.")
    case .verify:
      let verified = telling(completion) { (verified: Verified) in
        AdminReply.verified(accounts: verified.accounts, faults: verified.faults)
      }
      domain(.health(.verify(verified)))
    case .backUp(let path):
      guard path.hasPrefix("/") else { throw AdminError("The path has to be an absolute one.") }
      let backedUp = telling(completion) { AdminReply.backedUp($0) }
      domain(.health(.backUp(path: path, backedUp)))
    }
  }

  /// The name of the token with which an account is made.
  package static let firstToken = "first token"
  /// The name of the token that the link makes with which an account is made.
  private static let firstLink = "sign-in link"

  /// Until when an operator's link works.
  private func linkEnd(_ text: String? = nil) throws(AdminError) -> Instant {
    guard let text else { return world.now().adding(milliseconds: LinkCode.operatorsLifetime) }
    let document = try Self.object([("expires", text)])
    var object = ObjectReader(document.root)
    let end = object.required("expires", .expiry(after: world.now()))
    let faults = object.finish()
    guard let end, faults.isEmpty else { return try Self.valid(.invalid(faults)) }
    return end
  }

  /// Makes an account with a link for its first token, and blocks the calling thread until that is
  /// done.
  package func addAccount(
    _ name: String, timeZone: String?
  ) throws(AdminError) -> AdminReply.NewAccount {
    let asked = try Self.askedNow(name, timeZone: timeZone, in: world)
    let first = FirstToken.link(name: Self.firstLink, endsAt: try linkEnd())
    return try Self.waiting { completion in
      let added = telling(completion) { (new: NewAccount) in
        AdminReply.NewAccount(new, at: address)
      }
      domain(.account(.add(asked, with: first, isSignUp: false, added)))
    }.get()
  }

  /// The log of an account, to be written somewhere.
  package func export(of reference: String, _ completion: @escaping Completion<Archive>) {
    find(reference, completion) { account in
      domain(.archive(.export(account.id, telling(completion, reference) { $0 })))
    }
  }

  /// Makes an export the log of an account that has none.
  package func importLog(
    _ bytes: [UInt8], into reference: String,
    _ completion: @escaping Completion<AdminReply.ImportedLog>
  ) {
    find(reference, completion) { account in
      let taken = telling(completion, account.name) { (cursor: Cursor) in
        AdminReply.ImportedLog(
          id: account.id.description, name: account.name, version: cursor.head.version.number,
          cursor: cursor.description)
      }
      domain(.archive(.take(bytes, into: account.id, by: nil, for: .patient, taken)))
    }
  }

  /// Blocks the calling thread until something is answered.
  package static func waiting<Value: Sendable>(
    _ ask: (@escaping @Sendable (Value) -> Void) -> Void
  ) -> Value {
    let answer = Mutex<Value?>(nil)
    let isThere = DispatchSemaphore(value: 0)
    ask { value in
      answer.withLock { $0 = value }
      isThere.signal()
    }
    while true {
      isThere.wait()
      if let value = answer.withLock({ $0 }) { return value }
    }
  }

  /// Completes a use case in words.
  ///
  /// - Parameter reference: what the operator calls the account or the token that may not be there.
  func telling<Value, Told>(
    _ completion: @escaping Completion<Told>, _ reference: String = "",
    _ show: @escaping @Sendable (Value) -> Told
  ) -> GoalsService.Completion<Value> {
    { completion($0.map(show).mapError { AdminError($0, reference) }) }
  }

  /// Goes on with what was found, or tells why there is none.
  ///
  /// - Parameter reference: what the operator calls it.
  func found<Value, Told>(
    _ reference: String, _ completion: @escaping Completion<Told>,
    _ next: @escaping @Sendable (Value) throws -> Void
  ) -> GoalsService.Completion<Value> {
    { result in
      do {
        try next(result.get())
      } catch {
        completion(.failure(AdminError(error, reference)))
      }
    }
  }

  /// Goes on with the account of an id, or of a name that only one has.
  private func find<Told>(
    _ reference: String, isToGo: Bool = false, _ completion: @escaping Completion<Told>,
    _ next: @escaping @Sendable (AccountRecord) throws -> Void
  ) {
    domain(.account(.find(reference, isToGo: isToGo, found(reference, completion, next))))
  }

  /// Why an account can't be added to any database; nil where that depends on what is stored.
  package static func refusal(of command: AdminCommand, in world: World) -> AdminError? {
    guard case .addAccount(let name, let timeZone, _, _) = command else { return nil }
    do throws(AdminError) {
      _ = try askedNow(name, timeZone: timeZone, in: world)
      return nil
    } catch {
      return error
    }
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

  /// What an operator asks for in words as a client would write it, so that the same rules read it.
  static func object(_ words: [(String, String?)]) throws(AdminError) -> JSONDocument {
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

  static func valid<Value>(_ validated: Validated<Value>) throws(AdminError) -> Value {
    switch validated {
    case .valid(let value): return value
    case .invalid(let faults):
      let sentence = faults.map(\.detail).joined(separator: "; ")
      throw AdminError("\(sentence.prefix(1).uppercased())\(sentence.dropFirst()).")
    }
  }
}
