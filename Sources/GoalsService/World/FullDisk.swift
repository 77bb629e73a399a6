/// What the log tells of a full disk: a line when it begins, one a minute while it lasts, and one
/// when something is written again. So a full disk is not made fuller by telling of it.
///
/// A disk that fills and empties again and again gets two lines a minute. Where it fills within a
/// minute of the last line that said so, the next such line waits until that minute is over. It is
/// written only if the disk is full then.
package struct FullDisk: Sendable {
  package enum Line: Hashable, Sendable {
    /// So many requests were refused for it, those included that no line told of.
    case begins(refused: Int)
    /// So many were refused since the last line.
    case lasts(refused: Int)
    case ends(refused: Int)
  }

  /// How often it is told of.
  private static let interval = Duration.seconds(60)

  private(set) package var isFull = false
  /// Whether the last line said that it is.
  private var isTold = false
  private var toldAt: Duration?
  /// Since the last line.
  private var refused = 0

  package init() {}

  /// Requests were refused, because the disk is full.
  ///
  /// - Parameter now: the time since some moment, which only goes on.
  package mutating func refuse(_ requests: Int, at now: Duration) -> Line? {
    isFull = true
    refused += requests
    return due(at: now)
  }

  /// Something was written.
  package mutating func write() -> Line? {
    guard isFull else { return nil }
    isFull = false
    guard isTold else { return nil }
    isTold = false
    return .ends(refused: takeRefused())
  }

  /// The line for which it is time, though nothing happened.
  package mutating func due(at now: Duration) -> Line? {
    guard isFull, toldAt.map({ now - $0 >= Self.interval }) ?? true else { return nil }
    toldAt = now
    defer { isTold = true }
    return isTold ? .lasts(refused: takeRefused()) : .begins(refused: takeRefused())
  }

  private mutating func takeRefused() -> Int {
    defer { refused = 0 }
    return refused
  }
}
