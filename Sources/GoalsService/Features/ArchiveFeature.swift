import GoalsCore
import GoalsStore
import Synchronization

/// Gives an account's history out whole, and takes one in.
func archiveFeature(
  _ store: Store, _ world: World, _ queues: Queues
) -> LongFeature<ArchiveUseCase> {
  { useCase, asker, reply in
    switch useCase {
    case .export(let account):
      queues.read(world, reply) { () throws(StoreError) in
        guard let reader = try ExportReader.make(of: account, in: store),
          let published = try store.state(account)
        else { return .failed(.unknownAccount) }
        let pieces = Pieces { () throws(StoreError) in try reader.next() }
        return .archive(
          archive(of: pieces, published, in: world) { queues.reads.async(execute: $0) })
      }
    case .counts(let account):
      queues.read(world, reply) { () throws(StoreError) in
        guard let published = try store.state(account) else { return .failed(.unknownAccount) }
        let table = CountsCSV(published.state)
        return .archive(
          archive(of: Pieces { table.next() }, published, in: world) { work in
            queues.folds.finish(of: account) { _ in
              work()
              return true
            }
          })
      }
    case .take(let caller, let bytes):
      let take = importing(
        bytes, into: caller.account, of: store, in: world, by: caller.token.id)
      queues.folds.run(of: caller.account, for: asker, in: world, take) { result in
        reply(
          result.flatMap { $0 }.map { cursor in
            world.track(.imported(caller.account, version: cursor.head.version))
            return .imported(cursor)
          }.orFailure)
      }
    }
  }
}

private func archive(
  of pieces: Pieces, _ published: Published, in world: World,
  by perform: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void
) -> Archive {
  Archive(
    day: world.calendar(published.state.calendar)?.day(of: world.now()), cursor: Cursor(published),
    send: { stream, isWanted in
      pieces.send(over: stream, by: perform, while: isWanted) {
        world.track(.store(.failed($0)))
      }
    })
}

/// How many bytes of an export are read for each step that may be taken: a line of 250 takes as long as forty
/// of a list.
private let bytesAStep = 6

/// Reads an export, and makes it the log of an account that has none, in portions: a function of how many steps
/// to take at most, nil where that is not over. The last portion is the commit, before which nobody sees
/// anything of it; where it does not come to that, nothing of it stays. An export that names a time zone
/// which is not had here is refused: nothing of it could be shown.
func importing(
  _ bytes: [UInt8], into account: Account.ID, of store: Store, in world: World,
  by token: TokenRecord.ID? = nil
) -> @Sendable (_ steps: Int) throws(StoreError) -> Result<Cursor, Failure>? {
  let progress = Mutex((importer: nil as LogImporter?, imported: nil as Import?))
  return { steps throws(StoreError) in
    try progress.withLock { progress throws(StoreError) in
      if let imported = progress.imported { return try imported.advance()?.result }
      if progress.importer == nil {
        guard let published = try store.state(account) else { return .failure(.unknownAccount) }
        guard published.state.version == .none else { return .failure(.accountNotEmpty) }
        progress.importer = LogImporter(bytes, maximumGoals: store.maximumGoals)
      }
      do throws(ImportFault) {
        let log = try progress.importer?.read(
          bytes: steps.multipliedReportingOverflow(by: bytesAStep).partialValue)
        if let failure = log?.missingZone(in: world) { return .failure(failure) }
        progress.imported = log.map { store.beginImport($0, account, token) }
        return nil
      } catch {
        return .failure(.noExport(error))
      }
    }
  }
}

extension Import.Outcome {
  fileprivate var result: Result<Cursor, Failure> {
    switch self {
    case .adopted(let snapshot): .success(Cursor(snapshot.state.version, snapshot.chain))
    case .notEmpty: .failure(.accountNotEmpty)
    case .tooLarge: .failure(.accountFull)
    case .unknownAccount, .refused: .failure(.unknownAccount)
    }
  }
}

extension ImportedLog {
  /// Why its time zones are not all had here, by the first line that names one which is not; nil where they are.
  fileprivate func missingZone(in world: World) -> Failure? {
    for (name, line) in timeZones.sorted(by: { $0.value < $1.value }) {
      switch world.zone(name) {
      case .found: continue
      case .unknown: return .noExport(ImportFault(line, "this server has no time zone \(name)"))
      case .unavailable: return .noCalendar
      }
    }
    return nil
  }
}
