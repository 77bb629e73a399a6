import HTTP

/// An HTTP/1.1 server: one loop on one serial queue. Its handler answers from any thread.
///
/// It lives until it was drained, whether it is still referred to or not.
package final class Server: Sendable {
  private let loop: Result<Loop, SystemError>

  package convenience init(
    limits: Limits = Limits(), handler: Handler, clock: Clock = .system
  ) {
    self.init(limits: limits, handler: handler, clock: clock, accept: { Socket.accept($0) })
  }

  init(
    limits: Limits, handler: Handler, clock: Clock = .system,
    accept: @escaping @Sendable (Int32) -> Socket.Accepted
  ) {
    do throws(SystemError) {
      loop = .success(try Loop(limits: limits, handler: handler, clock: clock, accept: accept))
    } catch {
      loop = .failure(error)
    }
  }

  /// Begins to listen: from now on clients wait to be accepted, which they are once the server has
  /// started. May be called several times, also later.
  ///
  /// A Unix socket takes the place of a stale one, at which nobody answers.
  ///
  /// - Parameter mode: of a Unix socket's file; left out, the process's umask decides.
  /// - Returns: the address with the port that the system picked.
  @discardableResult
  package func listen(
    on address: ListenAddress, mode: UInt32? = nil
  ) throws(ListenError) -> ListenAddress {
    switch loop {
    case .success(let loop):
      let listener = try Listener(address, mode: mode, sendBuffer: loop.limits.sendBuffer)
      guard loop.messages.post(.adopt(listener)) else {
        listener.close()
        throw ListenError(address: address, reason: .system("the server has stopped"))
      }
      return listener.address
    case .failure(let error):
      throw ListenError(address: address, reason: .system(error.description))
    }
  }

  /// Serves. To be called once. It has the process ignore SIGPIPE, and raises its limit of open
  /// descriptors, as far as it may, to what the connections need.
  package func start() {
    if case .success(let loop) = loop { loop.start() }
  }

  /// Stops accepting, closes idle connections, lets what has begun be finished and answered, with
  /// `Connection: close`, and closes by force what is left after that time. Streams count as begun:
  /// whoever writes them should end them.
  ///
  /// - Parameter completion: is called on the server's queue when no connection is left. A server that
  ///   was never started does not call it.
  package func drain(within duration: Duration, completion: @escaping @Sendable () -> Void) {
    switch loop {
    case .success(let loop):
      if !loop.messages.post(.drain(duration, completion)) { completion() }
    case .failure: completion()
    }
  }

  /// What it has done so far; never more than a moment old.
  package var statistics: Statistics {
    switch loop {
    case .success(let loop): loop.published.withLock { $0 }
    case .failure: Statistics()
    }
  }
}
