import HTTP

/// What clients have yet to take of their answers.
extension Loop {
  /// Counts it for one connection.
  func weighAnswers(of connection: Connection) {
    guard !connection.isClosed else { return }
    statistics.bytesUnread += connection.weigh(now: now)
    if statistics.bytesUnread > limits.unreadMemory { makeRoom() }
  }

  /// Looks at a connection again: cuts it off if its client takes nothing, and closes it if all was said and
  /// has been taken.
  func lookAtAnswers(of connection: Connection) {
    guard connection.mayBeUnread, !connection.isClosed else { return }
    weighAnswers(of: connection)
    guard !connection.isClosed else { return }
    if connection.retiresBy != nil, isTaken(connection) {
      lose(connection, .gone)
    } else if connection.unread > 0,
      min(connection.takenAt + limits.writeTimeout, connection.retiresBy ?? .never) <= now
    {
      statistics.connectionsCut += 1
      cut(connection)
    }
  }

  /// Closes a connection on which all was said, as soon as the client has taken it; until then the connection
  /// counts as open, and its bytes as unread.
  func retire(_ connection: Connection) {
    if connection.hasOutput { statistics.connectionsCut += 1 }
    guard !isDraining, !connection.hasOutput else { return lose(connection, .gone) }
    weighAnswers(of: connection)
    guard !connection.isClosed else { return }
    if isTaken(connection) { return lose(connection, .gone) }
    Socket.shutDown(connection.descriptor)
    poller.remove(connection.descriptor)
    bodyBytes -= connection.bodyBytes
    connection.bodyBytes = 0
    connection.retiresBy = now + limits.writeTimeout + watchLimits.writing(connection.unread)
  }

  /// Whether nothing is left for the client to take, or no client.
  private func isTaken(_ connection: Connection) -> Bool {
    connection.unread == 0 || Socket.isOver(connection.descriptor)
  }

  /// Closes a connection, and drops what its client has not taken: the system would keep that for minutes.
  func cut(_ connection: Connection) {
    lose(connection, .cutOff, drops: Socket.unreadBytes(connection.descriptor) > 0)
  }

  /// Cuts off who has taken nothing for the longest. A quarter is made free at once, so that it is seldom done.
  private func makeRoom() {
    let waiting = connections.all.filter { $0.unread > 0 }.sorted { $0.takenAt < $1.takenAt }
    for connection in waiting where statistics.bytesUnread > limits.unreadMemory / 4 * 3 {
      statistics.connectionsCut += 1
      cut(connection)
    }
  }
}
