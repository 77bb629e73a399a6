import Dispatch
import GoalsCore
import PostgreSQL
import Synchronization

/// What stores of one database tell each other of their commits: in which accounts there is
/// something new. Nothing depends on it, so nothing of it is tried twice: a hint that is
/// lost or wrong is made good when the heads are asked for.
///
/// It is told behind the commit, by a connection of its own: `NOTIFY` in the commit would hold one
/// lock over the sync, and all commits of all servers would go one after the other.
///
/// `@unchecked Sendable` because the connections are touched on their own queues only.
final class Hints: @unchecked Sendable {
  private struct Waiting {
    var accounts: Set<Account.ID> = []
    var isTelling = false
    var isListening = false
    var isClosed = false
  }

  private static let channel = "goals"
  /// How long a connection may take for a statement, and how soon a closed listener is let go.
  private static let limit = Duration.seconds(5)
  /// How many accounts are told at once at most: of more, those who follow them find it themselves.
  private static let maximum = 2000

  private let database: PostgreSQLDatabase
  private let waiting = Mutex(Waiting())
  private let telling = DispatchQueue(label: "GoalsStore.hints-telling")
  private let hearing = DispatchQueue(label: "GoalsStore.hints-hearing")
  private var speaker: Connection?
  private var listener: Connection?

  init(_ database: PostgreSQLDatabase) { self.database = database }

  // MARK: Telling

  /// What takes no time, and need not be on the disk.
  private static let loosely = Query("commit loosely", "SET LOCAL synchronous_commit = off")
  private static let notify = Query(
    "tell others",
    """
    SELECT pg_notify('\(channel)', $1::text || ' ' || id::text) FROM unnest($2::uuid[]) AS x (id)
    """)

  /// Tells the others, later, that something was recorded in these accounts.
  func tell(of accounts: some Sequence<Account.ID>) {
    let begins = waiting.withLock { waiting in
      for account in accounts where waiting.accounts.count < Self.maximum {
        waiting.accounts.insert(account)
      }
      guard !waiting.accounts.isEmpty, !waiting.isTelling, !waiting.isClosed else { return false }
      waiting.isTelling = true
      return true
    }
    if begins { telling.async { self.tellAll() } }
  }

  private func tellAll() {
    dispatchPrecondition(condition: .onQueue(telling))
    let accounts = waiting.withLock { waiting in
      defer { waiting.accounts = [] }
      waiting.isTelling = !waiting.accounts.isEmpty && !waiting.isClosed
      return waiting.isTelling ? Array(waiting.accounts) : []
    }
    guard !accounts.isEmpty else { return }
    do {
      let connection = try speaker ?? database.connect()
      speaker = connection
      let told = Parameters {
        $0.add(database.server.description)
        $0.add(.uuid, of: accounts) { $0.add($1) }
      }
      let calls = [
        Call(Connection.beginWriting), Call(Self.loosely), Call(Self.notify, told),
        Call(Connection.commit),
      ]
      _ = try connection.run(calls, within: Self.limit)
      telling.async { self.tellAll() }
    } catch {
      speaker?.close()
      speaker = nil
      waiting.withLock { $0.isTelling = false }
    }
  }

  // MARK: Hearing

  /// Begins to call back with the accounts in which others have recorded something, where it does
  /// not do that already, until it is closed or the connection is lost.
  func listen(_ heard: @escaping @Sendable ([Account.ID]) -> Void) {
    let begins = waiting.withLock { waiting in
      defer { waiting.isListening = true }
      return !waiting.isListening && !waiting.isClosed
    }
    if begins { hearing.async { self.listenOn(heard) } }
  }

  private func listenOn(_ heard: @escaping @Sendable ([Account.ID]) -> Void) {
    dispatchPrecondition(condition: .onQueue(hearing))
    guard !waiting.withLock({ $0.isClosed }) else { return }
    do {
      let connection = try listener ?? beginListening()
      listener = connection
      let accounts = try connection.notifications(within: Self.limit).compactMap(account)
      if !accounts.isEmpty { heard(accounts) }
      hearing.async { self.listenOn(heard) }
    } catch {
      listener?.close()
      listener = nil
      waiting.withLock { $0.isListening = false }
    }
  }

  private func beginListening() throws(PostgreSQLError) -> Connection {
    let connection = try database.connect()
    try connection.execute("LISTEN \(Self.channel)", within: Self.limit)
    return connection
  }

  /// Nil for what this server has told itself, and for what nobody tells.
  private func account(_ notification: Connection.Notification) -> Account.ID? {
    let words = notification.payload.split(separator: " ")
    guard notification.channel == Self.channel, words.count == 2,
      words[0] != database.server.description
    else { return nil }
    return Account.ID(String(words[1]))
  }

  func close() {
    waiting.withLock { $0.isClosed = true }
    telling.sync {
      speaker?.close()
      speaker = nil
    }
    hearing.async {
      self.listener?.close()
      self.listener = nil
    }
  }
}
