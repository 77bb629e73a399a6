import HTTP

extension Loop {
  /// How many times a connection is read before others have their turn.
  private static let readsInTurn = 4

  func read(_ connection: Connection) {
    for _ in 0..<Loop.readsInTurn where connection.state.wantsInput && !connection.isClosed {
      let most = connection.state.appetite
      switch Socket.receive(connection.descriptor, into: &buffer, atMost: most) {
      case .bytes(let count):
        statistics.bytesReceived += count
        connection.state.received(buffer[..<count], now: now)
        advance(connection)
        weigh(connection)
        if count < most { return }
      case .end:
        connection.state.ended()
        advance(connection)
      case .later: return
      case .failed: lose(connection, .gone)
      }
    }
  }

  /// Counts what is held of the connection's body, and refuses it where all of them are too much.
  private func weigh(_ connection: Connection) {
    let held = connection.state.bodyBytes
    guard !connection.isClosed, held != connection.bodyBytes else { return }
    bodyBytes += held - connection.bodyBytes
    connection.bodyBytes = held
    guard held > limits.bodyShare, bodyBytes > limits.bodyMemory else { return }
    connection.state.refuseBody()
    bodyBytes -= held
    connection.bodyBytes = 0
    advance(connection)
  }

  /// Does what the connection's state asks for, until it asks for nothing. After a request that is answered at
  /// once others have their turn before the next one: thousands may be on their way.
  func advance(_ connection: Connection) {
    var hasAnswered = false
    while !connection.isClosed {
      if hasAnswered, connection.state.hasMore {
        mailbox.post(.resume(connection.token))
        return
      }
      guard let action = connection.state.next(now: now) else { return }
      switch action {
      case .admit(let head): hasAnswered = !admit(head, connection)
      case .respond(let request): respond(request, connection)
      case .refuse(let refusal):
        connection.state.answered(
          answer(to: refusal, of: connection.state.head), date: httpDate(), now: now)
      case .send(let first, let rest):
        connection.enqueue(.init(bytes: first))
        if !rest.isEmpty { connection.enqueue(.init(bytes: rest)) }
        flush(connection)
      case .shutDown: Socket.shutDown(connection.descriptor)
      case .close: retire(connection)
      }
    }
  }

  func answer(to refusal: Refusal, of head: RequestHead? = nil) -> Response {
    statistics.refusals += 1
    var response = handler.refusal(refusal, head)
    if let seconds = refusal.retryAfter, response.fields[.retryAfter] == nil {
      response.fields[.retryAfter] = "\(seconds)"
    }
    return response
  }

  /// Answers whether the request goes on.
  private func admit(_ head: RequestHead, _ connection: Connection) -> Bool {
    switch handler.admit(head, connection.visitor) {
    case .accept(let bodyLimit, let respond):
      connection.respond = respond
      connection.state.admitted(bodyLimit: bodyLimit, now: now)
      return true
    case .refuse(let response):
      statistics.requests += 1
      connection.state.answered(response, date: httpDate(), now: now)
      return false
    }
  }

  private func respond(_ request: Request, _ connection: Connection) {
    statistics.requests += 1
    let body = request.body.count
    bodyBytes += body - connection.bodyBytes
    connection.bodyBytes = 0
    let responder = Responder(
      peer: connection.visitor.peer, streamBuffer: limits.streamBuffer, mailbox: mailbox,
      token: connection.token, body: body)
    // Without an admission there is none, and the responder that is dropped says so.
    guard let respond = connection.respond else { return }
    connection.respond = nil
    respond(request, responder)
  }

  /// Ends a connection: one that waits for its answer gets it, and one that does not read is cut off.
  func dismiss(_ connection: Connection) {
    guard !connection.hasOutput else { return lose(connection, .cutOff) }
    connection.state.drain(now: now)
    advance(connection)
    settle(connection)
  }

  // MARK: Writing

  func flush(_ connection: Connection) {
    var sent: [Connection.Outgoing] = []
    guard
      let count = connection.flush({ if $0.counted > 0 || $0.whenSent != nil { sent.append($0) } })
    else { return lose(connection, .gone) }
    statistics.bytesSent += count
    if connection.hasOutput {
      if count > 0 { connection.state.progressed(now: now) }
      weighAnswers(of: connection)
    } else {
      connection.state.flushed(now: now)
      if connection.isStreamEnded { endStream(connection, .ended) }
    }
    for item in sent {
      connection.stream?.sent(item.counted)
      item.whenSent?()
    }
  }

  /// Tells the poller what is waited for. Interest in reading is dropped only when it disturbs, which
  /// spares two system calls a request.
  func settle(_ connection: Connection, dropsReading: Bool = false) {
    guard !connection.isClosed, connection.retiresBy == nil else { return }
    var interest: Poller.Interest = connection.hasOutput ? .writable : []
    if connection.state.wantsInput || !dropsReading && connection.interest.contains(.readable) {
      interest.insert(.readable)
    }
    guard interest != connection.interest else { return }
    connection.interest = interest
    poller.change(connection.descriptor, token: connection.token, interest)
  }

  func deliver(_ reply: Reply, _ connection: Connection?) {
    guard let connection else {
      if case .stream(_, let stream) = reply { stream.close(.gone) }
      return
    }
    switch reply {
    case .whole(let response):
      connection.state.answered(response, date: httpDate(), now: now)
    case .stream(let response, let stream):
      // Thousands of streams may be open, and none has another request before its end.
      connection.visitor.attachment = nil
      connection.visitor.place = nil
      if connection.state.streamed(response, date: httpDate(), now: now) {
        connection.stream = stream
        statistics.streamsOpen += 1
      } else {
        stream.close(.gone)
      }
    }
    advance(connection)
    settle(connection)
  }

  func perform(_ command: ResponseStream.Command, _ connection: Connection?) {
    guard let connection, connection.stream != nil else { return }
    switch command {
    case .write(let bytes, let whenSent):
      connection.state.wrote(bytes, now: now)
      if case .send(let framed, _) = connection.state.next(now: now) {
        connection.enqueue(
          .init(
            bytes: framed, counted: whenSent == nil ? bytes.count : 0, whenSent: whenSent))
        flush(connection)
      }
    case .end:
      connection.isStreamEnded = true
      connection.state.streamEnded(now: now)
    case .cutOff: return lose(connection, .cutOff)
    }
    advance(connection)
    settle(connection)
  }
}
