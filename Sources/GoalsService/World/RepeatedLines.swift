/// What the log tells of failures that last: a line that says the same as another is told once a
/// minute, with how often it was left out since.
package struct RepeatedLines: Sendable {
  private static let interval = Duration.seconds(60)
  /// So many different lines are known; of more, some are told too early.
  package static let maximum = 100

  private var told: [String: (at: Duration, leftOut: Int)] = [:]

  package init() {}

  /// How often the line was left out since it was told last; nil where it is left out now.
  ///
  /// - Parameter now: the time since some moment, which only goes on.
  package mutating func add(_ line: String, at now: Duration) -> Int? {
    let last = told[line]
    if let last, now - last.at < Self.interval {
      told[line] = (last.at, last.leftOut + 1)
      return nil
    }
    if last == nil, told.count >= Self.maximum { told = [:] }
    told[line] = (now, 0)
    return last?.leftOut ?? 0
  }

  /// Whether anything was told within the last minute.
  package func isLasting(at now: Duration) -> Bool {
    told.values.contains { now - $0.at < Self.interval }
  }
}
