import HTTP

/// The most that a server takes of one client, and of all of them together.
package struct Limits: Sendable {
  /// Of one request: its line, its fields and its body.
  package var message = MessageLimits()
  /// Open connections. One that comes beyond takes the place of an idle one (see `Spare`); where there is none
  /// it is answered 503 and closed.
  package var maxConnections = 4096
  /// Bytes of bodies that are held at once, until they are answered. Past it a request whose own body has
  /// more than `bodyShare` is answered 503.
  package var bodyMemory = 268_435_456
  package var bodyShare = 65_536
  /// From the first byte of a request to the end of its head, in all. Past it: 408.
  package var headerTimeout: Duration = .seconds(10)
  /// From the end of the head to the end of the body, in all. Past it: 408.
  package var bodyTimeout: Duration = .seconds(30)
  /// Without a byte of a request. Past it the connection is closed without a word.
  package var idleTimeout: Duration = .seconds(75)
  /// For the client to take the next bytes of an answer; and for all of them, with a second more for
  /// each `writeRate` bytes. Past either it is cut off: who reads nothing, or a byte now and then,
  /// would hold the answer's memory for ever, and a slow line is no crime. What the system has taken is the
  /// client's to take within the first of the two.
  package var writeTimeout: Duration = .seconds(30)
  /// Bytes a second that a client is expected to take at least.
  package var writeRate = 16384
  /// How much of a connection's answers the system takes before it is taken by the client; Linux uses as
  /// much again for its own bookkeeping (socket(7), SO_SNDBUF). Left to itself it would take 4 MiB. A client
  /// 50 ms away still gets a megabyte a second.
  package var sendBuffer = 65_536
  /// Bytes of answers that clients have not taken, here and in the system together. Past it those are cut off
  /// that have taken nothing for the longest.
  package var unreadMemory = 134_217_728
  /// After the last answer on a connection, how long and how many bytes are read on and dropped, so
  /// that the answer is not lost in the reset that unread bytes cause (RFC 9112 §9.6).
  package var lingerTimeout: Duration = .seconds(5)
  package var lingerBytes = 67_108_864
  /// Bytes that may wait for the reader of a stream, beyond what the system holds, before it is cut
  /// off.
  package var streamBuffer = 262_144

  package init() {}
}
