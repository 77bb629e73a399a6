import HTTP

extension Loop {
  /// How many times a connection is read before others are served.
  private static let readsPerRound = 4

  func read(_ connection: Connection) {
    for _ in 0..<Loop.readsPerRound where connection.state.wantsInput && !connection.isClosed {
      let most = connection.state.appetite
      switch Socket.receive(connection.descriptor, into: &buffer, atMost: most) {
      case .bytes(0): perform(connection.state.ended(now: now), connection)
      case .bytes(let count):
        statistics.bytesReceived += count
        perform(connection.state.received(buffer[..<count], now: now), connection)
        countBody(of: connection)
        if count < most { return }
      case .later: return
      case .failed: lose(connection)
      }
    }
  }

  /// Counts the bytes that are held of the connection's body, and refuses it where those of its
  /// holder are too many.
  private func countBody(of connection: Connection) {
    let held = connection.state.bodyBytes
    guard !connection.isClosed, held != connection.body.bytes else { return }
    if connection.body.bytes == 0 { connection.body.holder = connection.visitor.seat?.holder }
    hold(held, of: connection)
    guard bodies.isTooMuch(connection.body) else { return }
    hold(0, of: connection)
    perform(connection.state.refuseBody(), connection)
  }

  func hold(_ bytes: Int, of connection: Connection) {
    bodies.change(connection.body, to: bytes)
    connection.body.bytes = bytes
  }

  /// Performs an action of the connection's state, and those that follow from it; then tells the
  /// poller which events are waited for.
  func act(_ action: ConnectionState.Action?, _ connection: Connection) {
    perform(action, connection)
    settle(connection)
  }

  func perform(_ action: ConnectionState.Action?, _ connection: Connection) {
    var next = action
    while let action = next, !connection.isClosed {
      next = step(action, connection)
    }
  }

  /// Performs one action, and answers the next one.
  private func step(
    _ action: ConnectionState.Action, _ connection: Connection
  ) -> ConnectionState.Action? {
    switch action {
    case .admit(let head): return admit(head, connection)
    case .respond(let request): respond(request, connection)
    case .refuse(let refusal, let head):
      return connection.state.answered(answer(to: refusal, of: head), date: httpDate(), now: now)
    case .send(let first, let rest):
      connection.enqueue(.init(bytes: first))
      if !rest.isEmpty { connection.enqueue(.init(bytes: rest)) }
      return flush(connection)
    case .stream(let bytes):
      connection.enqueue(.init(bytes: bytes))
      return flush(connection)
    case .yield: messages.post(.resume(connection.token))
    case .shutDown: Socket.shutDown(connection.descriptor)
    case .close: retire(connection)
    }
    return nil
  }

  func answer(to refusal: Refusal, of head: RequestHead? = nil) -> Response {
    statistics.refusals += 1
    var response = handler.refusal(refusal, head)
    if let seconds = refusal.retryAfter, response.fields[.retryAfter] == nil {
      response.fields[.retryAfter] = "\(seconds)"
    }
    return response
  }

  func admit(_ head: RequestHead, _ connection: Connection) -> ConnectionState.Action? {
    switch handler.admit(head, connection.visitor) {
    case .accept(let bodyLimit, let respond):
      connection.respond = respond
      return connection.state.admitted(bodyLimit: bodyLimit, now: now)
    case .refuse(let response):
      statistics.requests += 1
      return connection.state.answered(response, date: httpDate(), now: now)
    case .lookUp(let look):
      look { [messages, token = connection.token] finding in
        messages.post(.found(token, head, finding))
      }
      return nil
    }
  }

  private func respond(_ request: Request, _ connection: Connection) {
    statistics.requests += 1
    hold(request.body.count, of: connection)
    let responder = Responder(
      streamBuffer: limits.streamBuffer, messages: messages, token: connection.token,
      body: connection.body, seat: connection.visitor.seat)
    connection.body = HeldBodies.Body()
    // Without an admission there is none, and the responder answers 500 when it is dropped.
    guard let respond = connection.respond else { return }
    connection.respond = nil
    respond(request, responder)
  }

  /// Ends a connection after the answer that it waits for. One whose client does not read is cut
  /// off, and one whose request is not whole gets 503.
  func dismiss(_ connection: Connection) {
    guard !connection.hasOutput else { return lose(connection) }
    act(connection.state.dismissed(now: now), connection)
    countBody(of: connection)
  }

  // MARK: Writing

  /// Sends as many bytes as the system takes. Answers the next action if those were all.
  func flush(_ connection: Connection) -> ConnectionState.Action? {
    var sent: [Connection.Outgoing] = []
    guard
      let count = connection.flush({ if $0.counted > 0 || $0.whenSent != nil { sent.append($0) } })
    else {
      lose(connection)
      return nil
    }
    statistics.bytesSent += count
    var action: ConnectionState.Action?
    if connection.hasOutput {
      if count > 0 { connection.state.progressed(now: now) }
      countUnread(of: connection)
    } else {
      action = connection.state.flushed(now: now)
      if connection.isStreamEnded { endStream(connection) }
    }
    for item in sent {
      connection.stream?.sent(item.counted)
      item.whenSent?()
    }
    return action
  }

  /// Tells the poller which events are waited for. Interest in input is dropped only when unwanted
  /// input has come, which spares two system calls a request.
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

  func deliver(_ answer: Responder.Answer, _ connection: Connection?) {
    guard let connection else {
      if case .stream(_, let stream) = answer { stream.close() }
      return
    }
    switch answer {
    case .whole(let response):
      act(connection.state.answered(response, date: httpDate(), now: now), connection)
    case .stream(let response, let stream):
      // Thousands of streams may be open, and none has another request before its end.
      connection.visitor.attachment = nil
      connection.visitor.seat = nil
      let action = connection.state.streamed(response, date: httpDate(), now: now)
      if case .stream = action {
        connection.stream = stream
        statistics.streamsOpen += 1
      } else {
        stream.close()
      }
      act(action, connection)
    }
  }

  func perform(_ command: ResponseStream.Command, _ connection: Connection?) {
    guard let connection, connection.stream != nil else { return }
    switch command {
    case .write(let bytes, let whenSent):
      guard let framed = connection.state.wrote(bytes, now: now) else { return }
      connection.enqueue(
        .init(bytes: framed, counted: whenSent == nil ? bytes.count : 0, whenSent: whenSent))
      act(flush(connection), connection)
    case .end:
      connection.isStreamEnded = true
      act(connection.state.streamEnded(now: now), connection)
    case .cutOff: lose(connection)
    }
  }
}
