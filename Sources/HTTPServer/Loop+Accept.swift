import HTTP

extension Loop {
  /// How many clients are accepted before others are served.
  private static let acceptsPerRound = 64
  /// How many connections beyond the limit may be open, to tell their clients so. Further ones are
  /// closed without a word.
  private static let mostTurnedAway = 256

  func accept(_ token: UInt64) {
    guard let listener = listeners.descriptor(token), !listeners.isPaused else { return }
    var mayDisplace = true
    for _ in 0..<Loop.acceptsPerRound {
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

  private func open(_ descriptor: Int32, _ peer: Peer) {
    let isFull = statistics.connectionsOpen >= limits.maxConnections && !displace()
    guard !isFull || turnedAway < Loop.mostTurnedAway else { return dismiss(descriptor) }
    if peer == .unix { Socket.limitSendBuffer(descriptor, limits.sendBuffer) }
    let connection = connections.insert {
      Connection(
        descriptor, token: $0, peer: peer, isTurnedAway: isFull, limits: sharedLimits, messages)
    }
    if isFull {
      turnedAway += 1
      statistics.connectionsTurnedAway += 1
    } else {
      statistics.connectionsAccepted += 1
      statistics.connectionsOpen += 1
    }
    guard poller.add(descriptor, token: connection.token, .readable) else {
      return lose(connection)
    }
    act(connection.state.opened(isTurnedAway: isFull, now: now), connection)
    tickAsNeeded()
  }

  /// Gives up a connection on which nothing happens for another one: a client that opens all there
  /// are and sends nothing shuts no other client out. Answers whether there was one.
  private func displace() -> Bool {
    while let connection = connections.takeSpare(now: now) {
      // A request may have come that was not read.
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

  /// Closes a connection beyond all limits, with an answer that the client gets if it reads in
  /// time. Of its request just the beginning is read, if it has come: HEAD gets no content.
  private func dismiss(_ descriptor: Int32) {
    statistics.connectionsTurnedAway += 1
    var parser = RequestParser(limits: limits.message)
    var beginning = [UInt8](repeating: 0, count: 16)
    if case .bytes(let count) = Socket.receive(descriptor, into: &beginning, atMost: 16) {
      parser.append(beginning[..<count])
      _ = parser.next()
    }
    let encoder = ResponseEncoder(method: parser.method, version: .http11, keepsAlive: false)
    let (first, rest) = encoder.whole(answer(to: .tooManyConnections), date: httpDate())
    _ = Socket.send(descriptor, first + rest, from: 0, more: false)
    Socket.shutDown(descriptor)
    Socket.close(descriptor)
  }
}
