import ArgumentParser
import GoalsService
import GoalsStore
import Migrations
import Terminal

/// `goals migrate`.
struct Migrate: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Bring a database on PostgreSQL to the schema that this program knows.",
    discussion: """
      A server never does that by itself, as others may use the database: run it before the first \
      start, and before a version that asks for it. Where nothing is to be done it does nothing. \
      A database in a file is migrated when it is opened.

      The role and the database have to be there: createuser --pwprompt goals, then createdb --owner=goals \
      --encoding=UTF8 --template=template0 goals, then goals migrate \
      'postgresql://goals@db1.example.org,db2.example.org/goals?sslmode=verify-full', with the primary and \
      its standbys. No password is taken in the URL: libpq takes it from PGPASSWORD, ~/.pgpass or the file \
      that PGPASSFILE names, a line HOST:PORT:DATABASE:USER:PASSWORD, mode 600.
      """)

  @OptionGroup var database: DatabaseOptions
  @Argument(help: "postgresql://USER@HOST/DATABASE (default: --database).") var url: String?

  func run() throws {
    var database = database
    if let url { database.database = url }
    guard database.isShared else {
      throw CommandFailure(
        "\(database.database) is a file, which goals serve migrates when it opens it. "
          + "Name a database on a server: goals migrate postgresql://USER@HOST/DATABASE")
    }
    let world = World.live(track: { _ in })
    let shared = try database.shared(world)
    let steps: [Migration]
    do throws(SharedDatabase.Refusal) {
      steps = try shared.migrate(now: world.now())
    } catch {
      throw CommandFailure(error.description)
    }
    for step in steps { try StandardOutput.write("Took step \(step.number), \(step.name).\n") }
    try StandardOutput.write("This program can use the schema.\n")
  }
}
