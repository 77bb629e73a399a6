import GoalsCore

/// What is written and copied beside edits.
extension StoreEngine {
  /// Writes in one durable transaction, between those of edits.
  func write<Value>(_ body: (any StoreTransaction) throws -> Value) throws(StoreError) -> Value {
    try administer { try $0.write(body) }
  }

  func remove(_ account: Account.ID) throws(StoreError) -> Bool {
    try administer { backing in
      defer { cache.remove(account) }
      return try backing.write { try $0.remove(account) }
    }
  }

  /// Copies everything into an empty file, a step at a time: between two of them the writer
  /// commits edits. Nothing that fails in it says anything about the database.
  func copyEverything(to path: String) throws(StoreError) {
    try betweenBatches { try $0.beginCopy(to: path) }
    var isWhole = false
    while !isWhole { isWhole = try betweenBatches { try $0.continueCopy() } }
  }
}
