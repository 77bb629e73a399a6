import HTTP

extension Loop {
  /// How many clients are accepted before others have their turn.
  private static let acceptsInTurn = 64
  /// How many connections beyond the limit are open to tell their clients so. The rest is closed
  /// without a word.
  private static let mostTurnedAway = 256

  func adopt(_ listener: Listener) {
    listeners.add(listener, poller)
  }

  func accept(_ token: UInt64) {
    guard let listener = listeners.descriptor(token), !listeners.isPaused else { return }
    var mayDisplace = true
    for _ in 0..<Loop.acceptsInTurn {
      switch acceptNext(listener) {
      case .connection(let descriptor, let peer): open(descriptor, peer)
      case .later: return
      case .again: continue
      case .exhausted where mayDisplace && displace(): mayDisplace = false
      case .exhausted:
        if let client = listeners.pause(token, now: now, poller) { dismiss(client) }
        tickAsNeeded()
        return
      }
    }
  }

  /// Accepting again after a shortage.
  func resumeAccepting(freed: Bool = false) {
    listeners.resume(freed: freed, now: now, poller)
  }

  private func open(_ descriptor: Int32, _ peer: Peer) {
    let isFull = statistics.connectionsOpen >= limits.maxConnections && !displace()
    guard !isFull || turnedAway < Loop.mostTurnedAway else { return dismiss(descriptor) }
    if peer == .unix { Socket.limitSendBuffer(descriptor, limits.sendBuffer) }
    let connection = connections.insert {
      Connection(
        descriptor, token: $0, peer: peer, isTurnedAway: isFull, limits: limits, watchLimits,
        messages)
    }
    if isFull {
      turnedAway += 1
      statistics.connectionsTurnedAway += 1
    } else {
      statistics.connectionsAccepted += 1
      statistics.connectionsOpen += 1
    }
    guard poller.add(descriptor, token: connection.token, .readable) else {
      return lose(connection, .gone)
    }
    act(connection.state.opened(isTurnedAway: isFull, now: now), connection)
    tickAsNeeded()
  }

  /// Gives up a connection on which nothing happens, so that another one has its place: who opens all there
  /// are and says nothing shuts nobody out. Answers whether there was one.
  private func displace() -> Bool {
    while let connection = connections.takeSpare(now: now) {
      // What was sent may not have been looked at yet.
      read(connection)
      guard connection.isClosed || connection.spare(now: now) != nil else {
        settle(connection)
        continue
      }
      statistics.connectionsDisplaced += 1
      cut(connection)
      return true
    }
    return false
  }

  /// Closes a connection for which there is no place at all, with an answer if it is read in time.
  private func dismiss(_ descriptor: Int32) {
    statistics.connectionsTurnedAway += 1
    let response = answer(to: .tooManyConnections)
    let encoder = ResponseEncoder(method: nil, version: .http11, keepsAlive: false)
    let (first, rest) = encoder.whole(response, date: httpDate())
    _ = Socket.send(descriptor, first + rest, from: 0, more: false)
    Socket.shutDown(descriptor)
    Socket.close(descriptor)
  }
}
