import CPostgreSQL
import Glibc

/// A connection to a server.
///
/// Its calls wait, each as long as it is allowed to and no longer, so its owner confines it to one
/// serial queue. It is used by one thread at a time, and is not `Sendable` for that reason.
///
/// When a call's time is up, the socket is closed, and the connection with it. Nothing is ever
/// cancelled: the server would tell a commit that waits for its standby to be done without it.
package final class Connection {
  /// Where it leads, for the log: there is no password in it.
  package let url: DatabaseURL
  /// The place in the URL of the host that it leads to.
  package let host: Int
  private(set) var handle: OpaquePointer?
  let deadline: Deadline
  let inbox: Inbox
  /// The SQL of the queries that the server has prepared, by their names.
  var prepared: [String: String] = [:]

  /// - Parameter inbox: receives from the handle.
  init(
    _ handle: OpaquePointer, to url: DatabaseURL, _ host: Int, _ deadline: Deadline, _ inbox: Inbox
  ) {
    self.handle = handle
    self.url = url
    self.host = host
    self.deadline = deadline
    self.inbox = inbox
    PQenterPipelineMode(handle)
  }

  deinit { PQfinish(handle) }

  /// Ends the connection. The server rolls back a transaction that is open.
  package func close() {
    PQfinish(handle)
    handle = nil
  }

  /// Whether it can be used. It may have been lost without its being noticed yet.
  package var isOpen: Bool { handle != nil }

  /// The server's process that serves this connection.
  package var serverProcess: Int32 { PQbackendPID(handle) }

  /// Whether what goes over the wire is encrypted.
  package var isEncrypted: Bool { PQsslInUse(handle) != 0 }

  /// Whether a transaction was begun and is neither committed nor rolled back.
  package var isInTransaction: Bool {
    let status = PQtransactionStatus(handle)
    return status == PQTRANS_INTRANS || status == PQTRANS_INERROR
  }

  /// What the server said beside its answers since this was called last: the first hundred.
  package func takeNotices() -> [Notice] { inbox.take() }

  /// The handle of a connection that is open and, as far as is known here, not lost. Of a lost one
  /// nothing was sent yet, so it is `.unavailable`, not `.unknown`.
  func live(doing: String) throws(PostgreSQLError) -> OpaquePointer {
    guard let handle else {
      throw PostgreSQLError(.unavailable, "the connection is closed", doing: doing)
    }
    guard !isAtEnd(handle) else {
      // The server's last word, if it had one, comes as a notice.
      let word = PQisBusy(handle) == 0 ? inbox.lastWord : nil
      throw lost(
        .unavailable, word?.message ?? "the server closed the connection", state: word?.state,
        doing: doing)
    }
    return handle
  }

  /// Whether the server has closed it. Takes in what came before that.
  private func isAtEnd(_ handle: OpaquePointer) -> Bool {
    var byte: UInt8 = 0
    while true {
      switch recv(PQsocket(handle), &byte, 1, Int32(MSG_PEEK | MSG_DONTWAIT)) {
      case 0: return true
      case 1: if PQconsumeInput(handle) == 0 { return true }
      // Nothing came: it waits for us.
      default: return errno != EAGAIN && errno != EINTR
      }
    }
  }

  /// Closes the connection, and says why it can't be used: by libpq's sentence, or another.
  func lost(
    _ kind: PostgreSQLError.Kind, _ message: String? = nil, state: SQLState? = nil, doing: String
  ) -> PostgreSQLError {
    let said = handle.flatMap { PQerrorMessage($0) }.map { String(cString: $0) } ?? ""
    close()
    return PostgreSQLError(
      kind, state: state,
      inbox.doubt?.message ?? message ?? said.asOneLine ?? "the connection was lost", doing: doing)
  }
}

/// The notices that came and were not taken yet. libpq fills it during the connection's calls.
final class Inbox {
  private var notices: [Notice] = []
  /// The last one that leaves open what became of a commit; nil at the start of each call.
  var doubt: Notice?

  /// Takes what the server says, which libpq would write to standard error. It has to live as long
  /// as the handle.
  func receive(from handle: OpaquePointer) {
    PQsetNoticeReceiver(
      handle,
      { box, result in
        guard let box, let result else { return }
        Unmanaged<Inbox>.fromOpaque(box).takeUnretainedValue().add(Notice(result))
      }, Unmanaged.passUnretained(self).toOpaque())
  }

  func add(_ notice: Notice) {
    if notice.leavesCommitOpen { doubt = notice }
    if notices.count < 100 { notices.append(notice) }
  }

  /// What the server said before it closed the connection.
  var lastWord: Notice? { notices.last { $0.severity == "FATAL" || $0.severity == "PANIC" } }

  func take() -> [Notice] {
    defer { notices = [] }
    return notices
  }
}

extension Notice {
  init(_ result: OpaquePointer) {
    severity = result.field(cpostgresql_severity) ?? ""
    state = result.field(cpostgresql_state).flatMap { SQLState($0) }
    message = result.field(cpostgresql_message) ?? ""
  }
}

extension OpaquePointer {
  /// A field of an error or a notice (postgresql.org/docs/15/libpq-exec.html).
  func field(_ code: some BinaryInteger) -> String? {
    PQresultErrorField(self, Int32(code)).map { String(cString: $0) }
  }
}

extension String {
  /// libpq's sentences end with a line feed, and some have several lines; nil where there is none.
  var asOneLine: String? {
    let lines = split(whereSeparator: \.isNewline)
      .map { line in line.drop { $0 == " " || $0 == "\t" } }
    return lines.isEmpty ? nil : lines.joined(separator: " ")
  }
}
