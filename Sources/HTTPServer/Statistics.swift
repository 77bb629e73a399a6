/// The counts of a server: events since it started, and the connections and streams that are open
/// now.
package struct Statistics: Sendable, Equatable {
  package var connectionsAccepted = 0
  /// Connections beyond the limit, or without a descriptor left for them.
  package var connectionsTurnedAway = 0
  /// Idle connections that were closed to make room for others.
  package var connectionsDisplaced = 0
  /// Connections whose client did not take its answers.
  package var connectionsCut = 0
  package var connectionsOpen = 0
  package var streamsOpen = 0
  package var requests = 0
  /// Answers to requests and connections that the protocol itself refuses.
  package var refusals = 0
  package var bytesReceived = 0
  package var bytesSent = 0
  /// Bytes of answers that clients had not taken when that was last counted.
  package var bytesUnread = 0

  package init() {}
}
