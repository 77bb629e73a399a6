import GoalsCore
import GoalsStore

/// Gives an account's history out whole, and takes one in.
func archiveFeature(_ store: Store, _ world: World, _ queues: Queues) -> Feature<ArchiveUseCase> {
  { useCase, reply in
    switch useCase {
    case .export(let account):
      queues.read(world, reply) { () throws(StoreError) in
        guard let reader = try ExportReader.make(of: account, in: store),
          let published = try store.state(account)
        else { return .failed(.unknownAccount) }
        let pieces = Pieces { () throws(StoreError) in try reader.next() }
        return .archive(archive(of: pieces, published, in: world, on: queues))
      }
    case .counts(let account):
      queues.fold(world, reply) { () throws(StoreError) in
        guard let published = try store.state(account) else { return .failed(.unknownAccount) }
        let table = CountsCSV(published.state)
        return .archive(archive(of: Pieces { table.next() }, published, in: world, on: queues))
      }
    case .take(let account, let bytes):
      queues.fold(world, reply) { () throws(StoreError) in
        try importing(bytes, into: account, of: store).map { imported in
          if imported.isNew {
            world.track(.imported(account, version: imported.cursor.head.version))
          }
          return .imported(imported)
        }.orFailure
      }
    }
  }
}

private func archive(
  of pieces: Pieces, _ published: Published, in world: World, on queues: Queues
) -> Archive {
  let calendar = world.zones.calendar(published.state.calendar)
  return Archive(
    day: calendar.day(of: world.now()), cursor: Cursor(published),
    send: { stream in
      pieces.send(over: stream, on: queues.reads) { world.track(.store(.failed($0))) }
    })
}

/// Reads an export, and makes it the log of an account that has none. An account that has this log
/// already, whatever was recorded after it, is left as it is: a retry after a lost answer succeeds.
func importing(
  _ bytes: [UInt8], into account: Account.ID, of store: Store
) throws(StoreError) -> Result<Imported, Failure> {
  guard let published = try store.state(account) else { return .failure(.unknownAccount) }
  let isEmpty = published.state.version == .none
  if !isEmpty {
    guard let quote = ImportedLog.quote(in: bytes), quote.version > .none,
      try store.log.page(account, quote.version, 0)?.chainBefore == quote.chain
    else { return .failure(.accountNotEmpty) }
  }
  let log: ImportedLog
  do throws(ImportFault) {
    log = try ImportedLog(reading: bytes)
  } catch {
    return .failure(.noExport(error))
  }
  let cursor = Cursor(log.snapshot.state.version, log.snapshot.chain)
  guard isEmpty else { return .success(Imported(cursor: cursor, isNew: false)) }
  switch try store.adopt(log, account) {
  case .adopted: return .success(Imported(cursor: cursor, isNew: true))
  case .notEmpty: return .failure(.accountNotEmpty)
  case .unknownAccount: return .failure(.unknownAccount)
  }
}
