/// What one run is like: drawn from its seed.
struct Schedule {
  /// Where the server keeps its data.
  enum Home {
    case memory, sqlite
  }

  let seed: UInt64
  let home: Home
  /// Whether requests reach the server at once. How it interleaves them, no seed repeats.
  let isCrowded: Bool
  /// Of the messages that are lost, and of those that arrive more than once.
  let lossPercent: Int
  let doublingPercent: Int
  /// Of those that take long, and how long in seconds.
  let delayPercent: Int
  let longestDelay: Int
  /// How often each device wakes, makes edits and sends.
  let wakes: Int
  let duration: Int64
  let serverRestarts: Int
  let deviceRestarts: Int
  let restores: Int
  /// Of the commits that fail, as on a full disk.
  let failurePercent: Int
  let timeZone: String?
  /// The dice as they lie once everything above is drawn.
  let dice: Dice

  static let devices = 5

  init(seed: UInt64, home: Home, isCrowded: Bool) {
    var dice = Dice(seed: seed)
    self.seed = seed
    self.home = home
    self.isCrowded = isCrowded
    lossPercent = dice.pick(0, 10, 30)
    doublingPercent = dice.pick(0, 15, 40)
    delayPercent = dice.pick(0, 20, 60)
    longestDelay = dice.pick(60, 3600, 20_000)
    wakes = dice.number(1...4)
    duration = isCrowded ? 2400 : Int64(dice.pick(3600, 6 * 3600, 40 * 3600))
    serverRestarts = dice.number(0...2)
    deviceRestarts = dice.number(0...3)
    restores = dice.chance(35) ? dice.number(1...2) : 0
    failurePercent = home == .memory && dice.chance(20) ? 15 : 0
    timeZone = dice.pick(nil, "Europe/Berlin", "Pacific/Auckland")
    self.dice = dice
  }
}
