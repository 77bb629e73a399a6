import GoalsCore
import GoalsStore

/// What the code of a link opens.
extension Access {
  func account(of code: LinkCode) throws -> Account.ID {
    try store.book.link(code.secret).or(.wrongCredential).account
  }

  /// Makes the token of a link, and a session with it where one is begun, which a token that may
  /// only bump has none of. The code works no second time.
  ///
  /// - Parameter name: what to call the token; nil for the link's name.
  func use(
    _ code: LinkCode, as name: Title?, beginning session: ((TokenRecord) -> SessionRecord)? = nil
  ) throws -> NewToken {
    let link = try store.book.link(code.secret).or(.wrongCredential)
    if session != nil, link.scope == .bump, world.now() < link.endsAt {
      throw Failure.insufficientScope(.read)
    }
    if let name { try check(name, with: link) }
    let token = Token(random: world.random)
    let use = try store.book.useLink(
      code.secret, world.now(),
      { link in
        TokenRecord(
          id: world.makeID(), account: link.account, name: name?.text ?? link.name,
          scope: link.scope, goal: link.goal, secret: token.secret, createdAt: world.now(),
          expiresAt: link.tokenExpiresAt, madeBy: link.madeBy)
      }, session)
    switch use {
    case .unknown: throw Failure.wrongCredential
    case .tooManyTokens: throw Failure.tooManyTokens
    case .used(let record):
      world.track(.tokenMade(record.id, of: record.account, by: record.madeBy))
      return NewToken(record: record, token: token)
    }
  }

  /// A token that may only count takes back the edits of its own name, so it may not choose that of
  /// another.
  private func check(_ name: Title, with link: LinkRecord) throws {
    guard link.scope == .count, name.text != link.name,
      try store.book.tokens(link.account).contains(where: { $0.name == name.text })
    else { return }
    throw Failure.invalid([
      Fault(pointer: "/name", detail: "another token of the account has this name")
    ])
  }

  /// Does work in an account's turn, once it is known whose that is.
  func after<Value: Sendable>(
    _ queues: Queues, _ account: @escaping @Sendable () throws -> Account.ID,
    _ completion: @escaping Completion<Value>, _ work: @escaping @Sendable () throws -> Value
  ) {
    queues.reads.async { [world] in
      switch world.catching(account) {
      case .success(let account): queues.access.complete(of: account, completion, in: world, work)
      case .failure(let failure): completion(.failure(failure))
      }
    }
  }
}
