import HTTP

/// An HTTP/1.1 server: one loop on one serial queue. Its handler answers from any thread.
///
/// It lives until it is drained, whether it is still referred to or not.
package final class Server: Sendable {
  private let loop: Loop

  /// Throws when the process has no descriptors left.
  package convenience init(
    limits: Limits = Limits(), handler: Handler, clock: Clock = .system
  ) throws(SystemError) {
    try self.init(limits: limits, handler: handler, clock: clock, accept: { Socket.accept($0) })
  }

  init(
    limits: Limits, handler: Handler, clock: Clock = .system,
    accept: @escaping @Sendable (Int32) -> Socket.Accepted
  ) throws(SystemError) {
    loop = try Loop(limits: limits, handler: handler, clock: clock, accept: accept)
  }

  /// Begins to listen: from now on clients wait to be accepted. May be called several times, before
  /// and after `start()`, which begins to accept.
  ///
  /// A stale Unix socket, at which no process answers, is replaced.
  ///
  /// - Parameter mode: of a Unix socket's file; left out, the process's umask decides.
  /// - Returns: the address with the port that the system picked.
  @discardableResult
  package func listen(
    on address: ListenAddress, mode: UInt32? = nil
  ) throws(ListenError) -> ListenAddress {
    let listener = try Listener(address, mode: mode, sendBuffer: loop.limits.sendBuffer)
    guard loop.messages.post(.adopt(listener)) else {
      listener.close()
      throw ListenError(address: address, reason: .system("the server has stopped"))
    }
    return listener.address
  }

  /// Serves; a server starts once. The process ignores SIGPIPE from then on, and its limit of open
  /// descriptors is raised, as far as it may be, to the need of the connections.
  package func start() {
    loop.start()
  }

  /// Stops accepting, closes idle connections, and answers the requests that have begun, with
  /// `Connection: close`. After that time it closes by force the connections that are left. A
  /// stream counts as begun: its writer should end it.
  ///
  /// - Parameter completion: is called on the server's queue when no connection is left. A server
  ///   that was never started does not call it.
  package func drain(within duration: Duration, completion: @escaping @Sendable () -> Void) {
    if !loop.messages.post(.drain(duration, completion)) { completion() }
  }

  /// The counts of the server; never more than a moment old.
  package var statistics: Statistics { loop.published.withLock { $0 } }
}
