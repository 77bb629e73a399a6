import GoalsCore

/// The accounts whose rows another transaction holds, of a log that is shared.
///
/// While a round waits for one row, it keeps the rows of its other accounts, and other stores wait
/// for those. So a held account shares no round with other accounts. Each has rounds of its own,
/// one after the other and with a rest between them, which only look whether the row is free.
struct HeldAccounts {
  private struct Holding {
    /// Where the account stands. If it moves, another store's round had the row, and nobody holds
    /// it.
    let version: Version
    var seenAt: Duration
    var isResting = false
  }

  /// How long an account is left alone after its row was held still.
  static let rest = Duration.milliseconds(100)
  /// How long a row may not have been looked at, and still counts as held.
  private static let memory = Duration.seconds(60)

  private var holdings: [Account.ID: Holding] = [:]
  /// Whether one of these accounts is to have the next round, before the others.
  var isTheirTurn = true

  var isEmpty: Bool { holdings.isEmpty }

  var all: some Sequence<Account.ID> { holdings.keys }

  /// Those that may be looked at now.
  mutating func due(at now: Duration) -> [Account.ID] {
    if holdings.isEmpty { return [] }
    holdings = holdings.filter { now - $1.seenAt < Self.memory }
    return holdings.lazy.filter { !$1.isResting }.map(\.key)
  }

  /// Takes note of an account that was in a round.
  ///
  /// - Parameters:
  ///   - version: where it stands after the round.
  ///   - isHeld: whether its row may have been held.
  /// - Returns: whether it rests from now on, as its row was held before, too.
  mutating func learn(
    _ account: Account.ID, at version: Version, isHeld: Bool, _ now: Duration
  ) -> Bool {
    guard let known = holdings[account] else {
      if isHeld { holdings[account] = Holding(version: version, seenAt: now) }
      return false
    }
    guard known.version == version else {
      holdings[account] = nil
      return false
    }
    guard isHeld else { return false }
    holdings[account]?.seenAt = now
    holdings[account]?.isResting = true
    return true
  }

  mutating func wake(_ account: Account.ID) { holdings[account]?.isResting = false }
}
