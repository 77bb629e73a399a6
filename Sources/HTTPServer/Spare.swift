/// As what a connection may be given up where a new one has no place: the least one first.
enum Spare: Equatable, Comparable {
  /// Nobody has asked for anything on it.
  case unused(since: Moment)
  /// It is kept for another request.
  case idle(since: Moment)
  /// All was said on it.
  case lingering(since: Moment)
  /// A request's head has begun, and does not come to its end.
  case slow(since: Moment)

  /// For so long a connection that was used is not idle: its client is about to ask again.
  static let idleTime: Duration = .seconds(1)
}

extension ConnectionState {
  /// As what it may be given up for another one; nil while it is busy.
  func spare(now: Moment) -> Spare? {
    switch phase {
    case .reading, .lingering: break
    case .yielding, .deciding, .answering, .streaming, .sending, .closed: return nil
    }
    switch watch.wait {
    case .request where !hasAsked: return .unused(since: watch.began)
    case .request where watch.began + Spare.idleTime <= now: return .idle(since: watch.began)
    case .linger where watch.began + Spare.idleTime <= now: return .lingering(since: watch.began)
    case .head where watch.began + Spare.idleTime <= now: return .slow(since: watch.began)
    case .request, .linger, .head, .nothing, .body, .reader: return nil
    }
  }
}
