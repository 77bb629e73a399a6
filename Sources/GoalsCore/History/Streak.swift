/// The runs of met periods of one interval. Periods that are skipped, paused or pending neither
/// break nor lengthen a run.
public struct Streak: Hashable, Sendable {
  /// The run that stands, in the present interval up to its last change.
  public let current: Int
  /// The best there was.
  public let longest: Int

  public init(current: Int, longest: Int) {
    self.current = current
    self.longest = longest
  }

  init(of periods: [JudgedPeriod]) {
    var current = 0
    var longest = 0
    for period in periods {
      if period.beginsInterval { current = 0 }
      switch period.state {
      case .met: current += 1
      case .missed: current = 0
      case .skipped, .pending, .paused: break
      }
      longest = max(longest, current)
    }
    self.init(current: current, longest: longest)
  }
}
