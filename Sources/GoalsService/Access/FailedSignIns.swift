/// What the log tells of failed sign-ins: a line each, but at most so many a second, so that
/// strangers can't fill it. What was left out is counted.
package struct FailedSignIns: Sendable {
  package enum Line: Hashable, Sendable {
    /// By the address of the client.
    case failed(client: String)
    /// The number of failures without a line of their own.
    case leftOut(Int)
  }

  /// In a second, of all clients together.
  package static let maximumLines = 10
  private static let window = Duration.seconds(1)

  private var begun: Duration?
  private var told = 0
  private var leftOut = 0

  package init() {}

  /// A client failed to sign in.
  ///
  /// - Parameter now: the time since some moment, which only goes on.
  package mutating func fail(_ client: String, at now: Duration) -> [Line] {
    let last = due(at: now)
    if isOver(at: now) { (begun, told) = (now, 0) }
    guard told < Self.maximumLines else {
      leftOut += 1
      return last
    }
    told += 1
    return last + [.failed(client: client)]
  }

  /// What was left out in a second that is over.
  package mutating func due(at now: Duration) -> [Line] {
    guard leftOut > 0, isOver(at: now) else { return [] }
    defer { leftOut = 0 }
    return [.leftOut(leftOut)]
  }

  private func isOver(at now: Duration) -> Bool { begun.map { now - $0 >= Self.window } ?? true }
}
