import HTTP

extension Loop {
  /// Writes a piece to each of these streams.
  ///
  /// Nearly all the time that this takes is the system's, a call for each socket. So the calls are made
  /// on all cores, and the loop, the sockets' one owner, waits for them.
  func announce(_ bytes: [UInt8], to tokens: [UInt64]) {
    var open: [Connection] = []
    open.reserveCapacity(tokens.count)
    for token in tokens {
      guard let connection = connections[token] else { continue }
      if connection.takesChunks {
        open.append(connection)
      } else {
        perform(.write(bytes, whenSent: nil), connection)
      }
    }
    let chunk = ResponseEncoder.chunk(bytes)
    let results = Socket.send(chunk, toEach: open.map(\.descriptor))
    for (connection, result) in zip(open, results) {
      switch result {
      case .bytes(chunk.count):
        statistics.bytesSent += chunk.count
        connection.sent += chunk.count
        connection.stream?.sent(bytes.count)
      case .bytes(let count): keep(chunk, from: count, of: bytes, for: connection)
      case .later: keep(chunk, from: 0, of: bytes, for: connection)
      case .failed: lose(connection, .gone)
      }
    }
  }

  /// Has the rest of a chunk wait until the client has taken what is before it.
  private func keep(
    _ chunk: [UInt8], from offset: Int, of bytes: [UInt8], for connection: Connection
  ) {
    statistics.bytesSent += offset
    connection.sent += offset
    guard connection.state.wrote(bytes, now: now) != nil else { return }
    connection.enqueue(.init(bytes: chunk, offset: offset, counted: bytes.count))
    settle(connection)
  }
}
