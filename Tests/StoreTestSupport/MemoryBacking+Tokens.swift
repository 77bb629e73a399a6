import GoalsCore

@testable import GoalsStore

/// Tokens, links and sessions.
extension MemoryBacking.View {
  func token(secret: [UInt8]) throws -> TokenRecord? {
    data.tokens.first { $0.secret == secret }
  }

  func tokens(of account: Account.ID) throws -> [TokenRecord] {
    data.tokens.filter { $0.account == account }
      .sorted { ($0.createdAt, $0.id) < ($1.createdAt, $1.id) }
  }

  func tokensInUse(of account: Account.ID) throws -> [TokenRecord] {
    try tokens(of: account).filter { $0.revokedAt == nil }
  }

  func tokenCount(of account: Account.ID) throws -> TokenCount {
    let tokens = try tokens(of: account)
    return TokenCount(
      inUse: tokens.count { $0.revokedAt == nil }, everMade: tokens.count)
  }

  func link(secret: [UInt8]) throws -> LinkRecord? {
    data.links.first { $0.secret == secret }
  }

  func links(of account: Account.ID) throws -> [LinkRecord] {
    data.links.filter { $0.account == account }.sorted { $0.endsAt < $1.endsAt }
  }

  func session(secret: [UInt8]) throws -> (SessionRecord, TokenRecord)? {
    guard let session = data.sessions.first(where: { $0.secret == secret }),
      let token = data.tokens.first(where: { $0.id == session.token })
    else { return nil }
    return (session, token)
  }

  // MARK: Writing

  func add(_ token: TokenRecord) throws {
    guard data.ledgers[token.account] != nil else {
      throw StoreError.other("there is no such account")
    }
    guard !data.tokens.contains(where: { $0.id == token.id || $0.secret == token.secret }) else {
      throw StoreError.other("the token is there already")
    }
    data.tokens.append(token)
  }

  func revoke(_ token: TokenRecord.ID, of account: Account.ID, at now: Instant) throws -> Bool {
    let index = data.tokens.firstIndex {
      $0.id == token && $0.revokedAt == nil && $0.account == account
    }
    guard let index else { return false }
    data.tokens[index] = data.tokens[index].revoked(at: now)
    data.sessions.removeAll { $0.token == token }
    return true
  }

  func add(_ link: LinkRecord) throws {
    guard data.ledgers[link.account] != nil,
      !data.links.contains(where: { $0.secret == link.secret })
    else { throw StoreError.other("no such account, or there already") }
    data.links.append(link)
  }

  func removeLink(secret: [UInt8]) throws -> Bool {
    let count = data.links.count
    data.links.removeAll { $0.secret == secret }
    return data.links.count < count
  }

  func add(_ session: SessionRecord) throws -> [[UInt8]] {
    guard data.tokens.contains(where: { $0.id == session.token }),
      !data.sessions.contains(where: { $0.secret == session.secret })
    else { throw StoreError.other("no such token, or there already") }
    let surplus = data.sessions.filter { $0.token == session.token }
      .sorted { $0.renewedAt > $1.renewedAt }
      .dropFirst(SessionRecord.maximumPerToken - 1).map(\.secret)
    data.sessions.removeAll { surplus.contains($0.secret) }
    data.sessions.append(session)
    return surplus
  }

  func endSession(secret: [UInt8]) throws -> Bool {
    let count = data.sessions.count
    data.sessions.removeAll { $0.secret == secret }
    return data.sessions.count < count
  }

  func renewSessions(_ renewals: [[UInt8]: Instant]) throws {
    data.sessions = data.sessions.map { session in
      renewals[session.secret].map { session.renewed(at: $0) } ?? session
    }
  }

  func recordUses(_ uses: [TokenRecord.ID: Instant]) throws {
    data.tokens = data.tokens.map { token in uses[token.id].map(token.used) ?? token }
  }
}
