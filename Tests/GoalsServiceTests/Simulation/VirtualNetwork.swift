/// A network that loses, doubles and delays messages by chance, and so reorders them.
struct VirtualNetwork {
  private let schedule: Schedule

  init(_ schedule: Schedule) { self.schedule = schedule }

  /// When a message arrives, in milliseconds from now: never, once, or more than once.
  func arrivals(_ dice: inout Dice) -> [Int64] {
    if dice.chance(schedule.lossPercent) { return [] }
    let copies = dice.chance(schedule.doublingPercent) ? dice.number(2...3) : 1
    return (0..<copies).map { _ in
      let seconds =
        dice.chance(schedule.delayPercent) ? dice.number(1...schedule.longestDelay) : 0
      return Int64(seconds * 1000 + dice.number(5...500))
    }
  }
}
