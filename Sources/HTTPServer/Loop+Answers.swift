import HTTP

/// The bytes of answers that clients have not taken.
extension Loop {
  func countUnread(of connection: Connection) {
    guard !connection.isClosed else { return }
    statistics.bytesUnread += connection.countUnread(now: now)
    if statistics.bytesUnread > limits.unreadMemory { makeRoom() }
  }

  /// Cuts a connection off if its client takes nothing, and closes it if its last answer has been
  /// taken.
  func checkUnread(of connection: Connection) {
    guard connection.mayBeUnread, !connection.isClosed else { return }
    countUnread(of: connection)
    guard !connection.isClosed else { return }
    if connection.retiresBy != nil, isTaken(connection) {
      lose(connection)
    } else if connection.unread > 0,
      min(connection.takenAt + limits.writeTimeout, connection.retiresBy ?? .never) <= now
    {
      statistics.connectionsCut += 1
      cut(connection)
    }
  }

  /// Closes a connection after its last answer, as soon as the client has taken that. Until then
  /// the connection counts as open, and its bytes as unread.
  func retire(_ connection: Connection) {
    if connection.hasOutput { statistics.connectionsCut += 1 }
    guard draining == nil, !connection.hasOutput else { return lose(connection) }
    countUnread(of: connection)
    guard !connection.isClosed else { return }
    if isTaken(connection) { return lose(connection) }
    Socket.shutDown(connection.descriptor)
    poller.remove(connection.descriptor)
    hold(0, of: connection)
    connection.retiresBy = now + limits.writeTimeout + limits.writing(connection.unread)
  }

  /// Whether the client has taken all, or is gone.
  private func isTaken(_ connection: Connection) -> Bool {
    connection.unread == 0 || Socket.isOver(connection.descriptor)
  }

  /// Closes a connection, and drops the bytes that its client has not taken: the system would keep
  /// them for minutes.
  func cut(_ connection: Connection) {
    lose(connection, drops: Socket.unreadBytes(connection.descriptor) > 0)
  }

  /// Cuts off the clients that have taken nothing for the longest. A quarter of the memory is made
  /// free at once, so that this is seldom done. All are counted anew first, so no client is cut off
  /// that has taken its answer by now.
  private func makeRoom() {
    for connection in connections.all where connection.mayBeUnread {
      statistics.bytesUnread += connection.countUnread(now: now)
    }
    let waiting = connections.all.filter { $0.unread > 0 }.sorted { $0.takenAt < $1.takenAt }
    for connection in waiting where statistics.bytesUnread > limits.unreadMemory / 4 * 3 {
      statistics.connectionsCut += 1
      cut(connection)
    }
  }
}
