import GoalsCore

/// What is written and copied beside edits.
extension StoreEngine {
  /// Writes in one durable transaction, between those of edits.
  func write<Value>(_ body: (any StoreTransaction) throws -> Value) throws(StoreError) -> Value {
    try administer { try $0.write(body) }
  }

  /// Takes something away in one durable transaction; false where it is not there. In a log that
  /// is shared that counts only behind a commit, too: the transaction that took it away before may
  /// be lost with the database.
  func takeAway(
    from backing: any Backing, _ body: (any StoreTransaction) throws -> Bool
  ) throws -> Bool {
    try backing.write { data in
      let isThere = try body(data)
      if !isThere, isLogShared { try data.probe(at: environment.now()) }
      return isThere
    }
  }

  func add(
    _ link: LinkRecord, at now: Instant, by asker: Authority?
  ) throws(StoreError) -> Bool {
    try write { data in
      try data.admit(asker)
      return try data.add(link, at: now)
    }
  }

  func use(
    link secret: [UInt8], at now: Instant, _ makeToken: (LinkRecord) -> TokenRecord,
    _ makeSession: ((TokenRecord) -> SessionRecord)?
  ) throws(StoreError) -> LinkUse {
    try write { try $0.use(link: secret, at: now, makeToken, makeSession) }
  }

  func endSession(secret: [UInt8]) throws(StoreError) -> Bool {
    try administer { try takeAway(from: $0) { try $0.endSession(secret: secret) } }
  }

  func remove(_ account: Account.ID) throws(StoreError) -> Bool {
    try administer { backing in
      // Before the writer goes on with changes of the account.
      defer { cache.remove(account) }
      return try takeAway(from: backing) { try $0.remove(account) }
    }
  }

  /// Copies everything into an empty file, a step at a time: between two of them the writer
  /// commits edits. Nothing that fails in it says anything about the database.
  func copyEverything(to path: String) throws(StoreError) {
    try betweenRounds { try $0.beginCopy(to: path) }
    var isWhole = false
    while !isWhole { isWhole = try betweenRounds { try $0.continueCopy() } }
  }
}
