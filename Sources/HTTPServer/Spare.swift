/// Why a connection may be closed where a new one needs its descriptor or its share of the limit;
/// in the order in which connections are given up.
enum Spare: Equatable, Comparable {
  /// No request has come on it.
  case unused(since: Duration)
  /// It is kept for another request.
  case idle(since: Duration)
  /// Its last answer was sent.
  case lingering(since: Duration)
  /// A request's head has begun, or the body of a stranger's, and does not come to its end.
  case slow(since: Duration)

  /// How long a connection that was used does not count as idle: its client is about to ask again.
  static let idleTime: Duration = .seconds(1)
}

extension ConnectionState {
  /// Why the connection may be given up for another one; nil while it is busy.
  ///
  /// - Parameter isStrangers: whether the handler counts the connection for no visitor.
  func spare(isStrangers: Bool, now: Duration) -> Spare? {
    let isIdle = watch.began + Spare.idleTime <= now
    return switch watch.wait {
    case .request where !hasAsked: .unused(since: watch.began)
    case .request where isIdle: .idle(since: watch.began)
    case .linger where isIdle: .lingering(since: watch.began)
    case .head where isIdle: .slow(since: watch.began)
    case .body where isStrangers && isIdle: .slow(since: watch.began)
    case .request, .linger, .head, .nothing, .body, .reader: nil
    }
  }
}
