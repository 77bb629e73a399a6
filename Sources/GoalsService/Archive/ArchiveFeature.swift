import GoalsCore
import GoalsStore
import Synchronization

/// An account's history as a whole.
package enum ArchiveUseCase: Sendable {
  /// The log, to be imported elsewhere.
  case export(Account.ID, Completion<Archive>)
  /// The counts as a table, and the cursor at which the log ends.
  case counts(Account.ID, Completion<(Archive, Cursor)>)
  /// Makes an export the log of an account that has none. It is refused where its
  /// sender's token or session has ended meanwhile.
  case take([UInt8], into: Account.ID, by: Authority?, for: Asker, Completion<Cursor>)
}

/// An account's whole history, made piece by piece, so that none of any size is ever held whole.
package struct Archive: Sendable {
  /// The account's running day; nil where its state or a calendar can't be had.
  let day: Day?
  /// Makes pieces on a queue on which nobody else waits.
  let perform: @Sendable (@escaping @Sendable () -> Void) -> Void
  /// The next piece; nil after the last. It is asked for one at a time, and may read the disk.
  package let next: @Sendable () throws -> [UInt8]?
  let world: World

  init(
    of published: Published?, in world: World,
    madeBy perform: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void,
    _ next: @escaping @Sendable () throws -> [UInt8]?
  ) {
    day = published.flatMap { world.calendar($0.state.calendar)?.day(of: world.now()) }
    self.perform = perform
    self.next = next
    self.world = world
  }
}

/// Exports an account's history, and imports one.
func archiveFeature(
  _ store: Store, _ world: World, _ queues: Queues
) -> Feature<ArchiveUseCase> {
  { useCase in
    switch useCase {
    case .export(let account, let completion):
      queues.pages.complete(of: account, completion, in: world) {
        let reader = try ExportReader.make(of: account, in: store).or(.unknownAccount)
        // The log can be given out where the snapshot can't be read.
        return Archive(
          of: try? store.state(account), in: world,
          madeBy: pieces(of: account, on: queues.pages), reader.next)
      }
    case .counts(let account, let completion):
      queues.state(of: account, for: .patient, in: store, world) { state in
        completion(
          state.map { published in
            let table = CountsCSV(published.state)
            let archive = Archive(
              of: published, in: world, madeBy: pieces(of: account, on: queues.folds)
            ) { table.next() }
            return (archive, Cursor(published))
          })
      }
    case .take(let bytes, let account, let authority, let asker, let completion):
      let take = importing(bytes, into: account, of: store, in: world, by: authority)
      queues.folds.run(of: account, for: asker, in: world, take) { result in
        if case .success(let cursor) = result {
          world.track(.imported(account, version: cursor.head.version))
        }
        completion(result)
      }
    }
  }
}

/// Makes pieces of an archive on a queue where accounts take turns.
private func pieces(
  of account: Account.ID, on queue: FairQueue
) -> @Sendable (@escaping @Sendable () -> Void) -> Void {
  { work in
    queue.finish(of: account) { _ in
      work()
      return true
    }
  }
}

/// How many bytes of an export are read for each step: a line of 250 bytes takes as long as forty
/// steps of a list.
private let bytesAStep = 6

/// Reads an export, and makes it the log of an account that has none, in portions. The function
/// that it answers takes the most steps of a portion, and answers nil while the import is not over.
/// The last portion is the commit: before it nobody sees anything of the import, and without it
/// nothing stays. An export that names a time zone which this server lacks is refused, because its
/// goals could not be shown.
private func importing(
  _ bytes: [UInt8], into account: Account.ID, of store: Store, in world: World,
  by authority: Authority?
) -> @Sendable (_ steps: Int) throws -> Cursor? {
  let progress = Mutex((importer: nil as LogImporter?, imported: nil as Import?))
  return { steps in
    try progress.withLock { progress in
      if let imported = progress.imported { return try imported.advance()?.cursor }
      if progress.importer == nil {
        let published = try store.state(account).or(.unknownAccount)
        guard published.state.version == .none else { throw Failure.accountNotEmpty }
        progress.importer = LogImporter(bytes, maximumGoals: store.maximumGoals)
      }
      let missing: Failure?
      do throws(ImportFault) {
        let log = try progress.importer?.read(
          bytes: steps.multipliedReportingOverflow(by: bytesAStep).partialValue)
        missing = log?.missingZone(in: world)
        progress.imported = log.map { store.beginImport($0, account, authority) }
      } catch {
        throw Failure.noExport(error)
      }
      if let missing { throw missing }
      return nil
    }
  }
}

extension Import.Outcome {
  /// Where the log ends that was imported.
  fileprivate var cursor: Cursor {
    get throws(Failure) {
      switch self {
      case .adopted(let snapshot): return Cursor(snapshot.state.version, snapshot.chain)
      case .notEmpty: throw .accountNotEmpty
      case .tooLarge: throw .accountFull
      case .unknownAccount: throw .unknownAccount
      }
    }
  }
}

extension ImportedLog {
  /// Why this server lacks one of its time zones, by the first line that names one; nil where it
  /// has all.
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
