/// What a server has done since it started, and does now.
package struct Statistics: Sendable, Equatable {
  package var connectionsAccepted = 0
  /// Beyond the limit, or without a descriptor left for them.
  package var connectionsTurnedAway = 0
  /// Of those that were accepted: idle ones that made room for others, and ones whose client did not take
  /// its answers.
  package var connectionsDisplaced = 0
  package var connectionsCut = 0
  package var connectionsOpen = 0
  package var streamsOpen = 0
  package var requests = 0
  /// By the protocol itself, those turned away included.
  package var refusals = 0
  package var bytesReceived = 0
  package var bytesSent = 0
  /// Of answers, sent or not: what clients have yet to take, as far as was looked.
  package var bytesUnread = 0

  package init() {}
}
