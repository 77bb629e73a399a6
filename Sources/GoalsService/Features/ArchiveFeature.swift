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
    case .take(let caller, let bytes):
      queues.fold(world, reply) { () throws(StoreError) in
        try importing(
          bytes, into: caller.account, of: store, by: caller.token.id
        ).map { cursor in
          world.track(.imported(caller.account, version: cursor.head.version))
          return .imported(cursor)
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
    send: { stream, isWanted in
      pieces.send(over: stream, on: queues.reads, while: isWanted) {
        world.track(.store(.failed($0)))
      }
    })
}

/// Reads an export, and makes it the log of an account that has none.
func importing(
  _ bytes: [UInt8], into account: Account.ID, of store: Store, by token: TokenRecord.ID? = nil
) throws(StoreError) -> Result<Cursor, Failure> {
  guard let published = try store.state(account) else { return .failure(.unknownAccount) }
  guard published.state.version == .none else { return .failure(.accountNotEmpty) }
  let log: ImportedLog
  do throws(ImportFault) {
    log = try ImportedLog(reading: bytes)
  } catch {
    return .failure(.noExport(error))
  }
  let cursor = Cursor(log.snapshot.state.version, log.snapshot.chain)
  switch try store.adopt(log, account, token) {
  case .adopted: return .success(cursor)
  case .notEmpty: return .failure(.accountNotEmpty)
  case .tooLarge: return .failure(.accountFull)
  case .unknownAccount, .refused: return .failure(.unknownAccount)
  }
}
