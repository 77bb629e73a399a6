import GoalsCore

extension Store {
  /// The more ids go into the index together, the more of them share a page that has to be written.
  /// They take 64 bytes of memory each until then, and are read when the database is opened.
  package static let defaultIDBatch = 65_536

  /// The store in a database that was claimed. Makes or migrates it first.
  ///
  /// - Parameter idBatch: so many ids of edits go into their index together.
  package static func sqlite(
    _ database: OwnedDatabase, environment: StoreEnvironment, cacheLimit: Int = cacheLimit,
    idBatch: Int = defaultIDBatch
  ) throws(OpeningError) -> Store {
    let now = environment.now
    let backing = try SQLiteBacking(database, now: { now().milliseconds }, idBatch: idBatch)
    let engine = StoreEngine(backing, environment: environment, cacheLimit: cacheLimit)
    let backup = DatabaseBackup(engine: engine, database: database, now: now)
    return Store(engine, backUp: backup.make)
  }
}
