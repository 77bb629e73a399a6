import ArgumentParser
import GoalsService
import GoalsStore
import Terminal

/// `goals backup`.
struct BackupCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "backup", abstract: "Write a verified copy of the database into a new file.",
    discussion: """
      A running server makes it in a folder beside the database; who runs the command needs to be \
      able to write FILE. On another file system it is copied there, so that the database's needs room \
      for it meanwhile. FILE is there only once it is whole and verified; a backup that is cut off \
      leaves FILE.partial-…, which can be deleted.
      """)

  @OptionGroup var database: DatabaseOptions
  @Argument(help: "The file to make. One that exists is refused.") var file: String
  @Flag(help: "Print JSON.") var json = false

  func run() throws {
    guard !database.isShared else {
      throw CommandFailure(
        "A database on PostgreSQL is backed up by PostgreSQL's own tools: pg_basebackup, with its "
          + "write-ahead log archived, or pg_dump. Nothing was done.")
    }
    let backup: BackupReport
    do {
      backup = try deliver()
    } catch let error as BackupError {
      throw CommandFailure(error.description)
    } catch let error as OpeningError {
      throw CommandFailure(error.description)
    }
    if json { return try printJSON(backup) }
    let accounts = backup.accounts == 1 ? "1 account" : "\(backup.accounts) accounts"
    try StandardOutput.write(
      "Backed up \(accounts) to \(backup.path) (\(backup.bytes) bytes), and verified it.\n")
  }

  /// Has the backup made, and puts it where the caller wants it.
  private func deliver() throws -> BackupReport {
    let now = World.live(track: { _ in }).now()
    let place = try Owner.ofFolder(of: file)
    let delivery = try place.act { try BackupDelivery(to: file, at: now) }
    do {
      var backup = try Owner.ofDatabase(database.database).act {
        let source = try DatabaseFile(path: database.database)
        let scratch = ScratchFolder(in: [source.folder])
        StopSignals.cleanUp { end in
          delivery.discard()
          scratch.remove(then: end)
        }
        return try delivery.fill(from: source, by: scratch) { path in
          let reply = try Administrator(database).perform(.backUp(path: path))
          guard case .backedUp(let backup) = reply else { throw reply.surprise }
          return backup
        }
      }
      try place.act { try delivery.publish() }
      backup.path = delivery.path
      return backup
    } catch {
      try? place.act { delivery.discard() }
      throw error
    }
  }
}
