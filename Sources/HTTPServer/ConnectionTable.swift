/// The open connections, found by tokens that are never used twice.
struct ConnectionTable {
  private var connections: [UInt64: Connection] = [:]
  private var nextToken = ListenerSet.lastToken + 1
  /// The connections in the order in which they came; some have sent a request since, or are gone.
  private var newcomers: ArraySlice<UInt64> = []
  /// The connections to give up first, by the last search of all; the very first is at the end.
  private var spares: [(token: UInt64, spare: Spare)] = []
  private var maySearchAt: Duration?

  var isEmpty: Bool { connections.isEmpty }

  /// A snapshot: it may be gone through while connections come and go.
  var all: [Connection] { Array(connections.values) }

  subscript(_ token: UInt64) -> Connection? { connections[token] }

  mutating func insert(_ make: (_ token: UInt64) -> Connection) -> Connection {
    let connection = make(nextToken)
    connections[nextToken] = connection
    if newcomers.count > 2 * connections.count + 64 {
      newcomers = newcomers.filter { self[$0] != nil }[...]
    }
    newcomers.append(nextToken)
    nextToken += 1
    return connection
  }

  mutating func remove(_ connection: Connection) {
    connections[connection.token] = nil
  }
}

extension ConnectionTable {
  /// How many of them are kept.
  private static let sparesAtOnce = 64
  /// How much later all may be searched again, for each of them: ten times as long as it takes.
  private static let searchTime: Duration = .microseconds(1)

  /// Takes the connection that is to be given up first; nil where all are busy. The caller closes
  /// it, or has found it busy: it is not found again before it has changed.
  mutating func takeSpare(now: Duration) -> Connection? {
    while let token = newcomers.popFirst() {
      if let connection = self[token], case .unused? = connection.spare(now: now) {
        return connection
      }
    }
    if let connection = takeKnownSpare(now) { return connection }
    guard maySearchAt.map({ $0 <= now }) ?? true else { return nil }
    maySearchAt = now + ConnectionTable.searchTime * connections.count
    let found = all.compactMap { connection in
      connection.spare(now: now).map { (token: connection.token, spare: $0) }
    }
    spares = found.sorted { $0.spare > $1.spare }.suffix(ConnectionTable.sparesAtOnce)
    return takeKnownSpare(now)
  }

  private mutating func takeKnownSpare(_ now: Duration) -> Connection? {
    while let (token, spare) = spares.popLast() {
      if let connection = self[token], connection.spare(now: now) == spare { return connection }
    }
    return nil
  }
}
