import ArgumentParser
import Glibc
import GoalsService
import Terminal

/// `goals backup`.
struct BackupCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "backup", abstract: "Write a verified copy of the database into a new file.",
    discussion: """
      Beside a running server the server writes it, as its own user and where it sees the path. The \
      file is there only once it is whole and verified; a backup that is cut off leaves FILE.partial-…, \
      which can be deleted.
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
    let reply = try Administrator(database).perform(.backUp(path: try absolute(file)))
    guard case .backedUp(let backup) = reply else { throw reply.surprise }
    if json { return try printJSON(backup) }
    let accounts = backup.accounts == 1 ? "1 account" : "\(backup.accounts) accounts"
    try StandardOutput.write(
      "Backed up \(accounts) to \(backup.path) (\(backup.bytes) bytes), and verified it.\n")
  }

  /// The path for a process that works in another folder.
  private func absolute(_ path: String) throws -> String {
    guard !path.hasPrefix("/") else { return path }
    guard let folder = getcwd(nil, 0) else {
      throw CommandFailure("The working folder can't be found: name FILE by its whole path.")
    }
    defer { free(folder) }
    return String(cString: folder) + "/" + path
  }
}
