import Dispatch
import HTTP

extension Loop {
  /// Writes a piece to each of these streams.
  ///
  /// Almost all the work is one system call for each socket. So the calls are made on all cores,
  /// and the loop, the sockets' one owner, waits for them.
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
      case .failed: lose(connection)
      }
    }
  }

  /// Keeps the rest of a chunk until the client has taken the bytes before it.
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

extension Socket {
  /// How many sockets a core takes at a time: a part of a millisecond's work.
  private static let share = 64

  /// Sends the same bytes on each of these sockets, on as many cores as are free, and answers the
  /// results in their order. No socket may be there twice.
  static func send(_ bytes: [UInt8], toEach descriptors: [Int32]) -> [Transfer] {
    var results = [Transfer](repeating: .later, count: descriptors.count)
    results.withUnsafeMutableBufferPointer { results in
      // Every element is written by one thread, and read when all of them are done.
      nonisolated(unsafe) let results = results
      let shares = (descriptors.count + share - 1) / share
      DispatchQueue.concurrentPerform(iterations: shares) { number in
        for index in (number * share)..<min((number + 1) * share, descriptors.count) {
          results[index] = send(descriptors[index], bytes, from: 0, more: false)
        }
      }
    }
    return results
  }
}
