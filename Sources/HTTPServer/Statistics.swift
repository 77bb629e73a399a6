/// The counts of a server since it started, and of what is open now.
package struct Statistics: Sendable, Equatable {
  package var connectionsAccepted = 0
  /// Beyond the limit, or without a descriptor left for them.
  package var connectionsTurnedAway = 0
  /// Idle ones that were closed to make room for others.
  package var connectionsDisplaced = 0
  /// Those whose client did not take its answers.
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
