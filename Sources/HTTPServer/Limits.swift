import HTTP

/// The most that a server takes of one client, and of all clients together.
package struct Limits: Sendable {
  /// One request: its line, its fields and its body.
  package var message = MessageLimits()
  /// Open connections. For one that comes beyond, an idle one is closed (see `Spare`); where there
  /// is none, the new one is answered 503 and closed.
  package var maxConnections = 4096
  /// Bytes of all bodies that are held until their requests are answered. Where a holder's bodies
  /// of more than `bodyShare` bytes have more than is left of it, the request is answered 503.
  package var bodyMemory = 268_435_456
  package var bodyShare = 65_536
  /// From the first byte of a request to the end of its head, in all. Past it: 408.
  package var headerTimeout: Duration = .seconds(10)
  /// From the end of the head to the end of the body, in all. Past it: 408.
  package var bodyTimeout: Duration = .seconds(30)
  /// How long a connection waits for the first byte of a request. Past it the connection is closed
  /// without a word.
  package var idleTimeout: Duration = .seconds(75)
  /// How long the client may take for the next bytes of an answer; and for all of them, with a
  /// second more for each `writeRate` bytes. Past either the client is cut off: one that reads
  /// nothing, or a byte now and then, would hold the answer's memory for ever. Only the first holds
  /// for bytes in the system's buffer.
  package var writeTimeout: Duration = .seconds(30)
  /// The bytes a second that a client has to take at least.
  package var writeRate = 16384
  /// How many bytes of a connection's answers the system holds. Linux uses as much again for its
  /// own bookkeeping (socket(7), SO_SNDBUF), and by itself would hold 4 MiB. A client 50 ms away
  /// still gets a megabyte a second.
  package var sendBuffer = 65_536
  /// Bytes of all answers that clients have not taken, here and in the system. Past it the clients
  /// that have taken nothing for the longest are cut off.
  package var unreadMemory = 134_217_728
  /// After the last answer on a connection, how long and how many bytes are read on and dropped, so
  /// that the answer is not lost in the reset that unread bytes cause (RFC 9112 §9.6).
  package var lingerTimeout: Duration = .seconds(5)
  package var lingerBytes = 67_108_864
  /// Bytes that may wait for the client of a stream, beyond those that the system holds. Past it
  /// the client is cut off.
  package var streamBuffer = 262_144

  package init() {}

  /// How long the client may take for so many bytes, beside `writeTimeout`.
  func writing(_ bytes: Int) -> Duration {
    .nanoseconds(Int64(min(Double(bytes) * 1e9 / Double(max(1, writeRate)), 1e18)))
  }

  /// How often deadlines are checked: a small part of the shortest limit, for precision, and rarely
  /// enough to cost nothing.
  var tick: Duration {
    let shortest = min(headerTimeout, bodyTimeout, idleTimeout, writeTimeout, lingerTimeout)
    return min(max(shortest / 10, .milliseconds(5)), .milliseconds(200))
  }
}
