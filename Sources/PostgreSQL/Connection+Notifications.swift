import CPostgreSQL
import Glibc

extension Connection {
  /// What another connection told by `NOTIFY`.
  package struct Notification: Equatable, Sendable {
    package let channel: String
    package let payload: String
    /// The server's process that sent it: one's own is `serverProcess`.
    package let process: Int32
  }

  /// What was told on the channels of this connection's `LISTEN`, in order: at once where something
  /// came already, else as soon as something comes. Empty when the time is up.
  ///
  /// A listener misses what was told before it, and while the connection was lost.
  package func notifications(within limit: Duration) throws(PostgreSQLError) -> [Notification] {
    let doing = "listen"
    let handle = try live(doing: doing)
    deadline.set(limit)
    while true {
      let told = take(from: handle)
      guard told.isEmpty else { return told }
      guard case .ready = deadline.wait(for: PQsocket(handle), POLLIN) else { return [] }
      guard PQconsumeInput(handle) != 0 else { throw lost(.unavailable, doing: doing) }
    }
  }

  private func take(from handle: OpaquePointer) -> [Notification] {
    var told: [Notification] = []
    while let notification = PQnotifies(handle) {
      told.append(
        Notification(
          channel: String(cString: notification.pointee.relname),
          payload: String(cString: notification.pointee.extra),
          process: notification.pointee.be_pid))
      PQfreemem(notification)
    }
    return told
  }
}
