import GoalsCore

/// The order of the work that takes long, as a state machine. It is told which work comes and
/// ends, and answers the work whose portion is next.
///
/// What an account has is done one after the other. Accounts take turns, a portion each, so an
/// account that has much waits for itself alone.
struct FairSchedule<Work> {
  /// How many of an account may wait or be done: the requests of all devices of a person, and then
  /// some.
  static var maximum: Int { 64 }

  private var lanes: [Account.ID: [Work]] = [:]
  /// The accounts that have work and wait for their turn, in the order of their turns.
  private var rotation: [Account.ID] = []
  /// How many portions may still be made at the same time.
  private var free: Int

  /// - Parameter width: how many accounts may have a portion made at the same time.
  init(width: Int = 1) { free = width }

  /// Adds work. Answers false where the account has too much.
  ///
  /// - Parameter isOwed: whether it is added in any case.
  mutating func add(_ work: Work, of account: Account.ID, isOwed: Bool = false) -> Bool {
    guard let lane = lanes[account] else {
      lanes[account] = [work]
      rotation.append(account)
      return true
    }
    guard isOwed || lane.count < Self.maximum else { return false }
    lanes[account]?.append(work)
    return true
  }

  /// The work of which a portion is to be made now; nil where there is none, or as many portions
  /// are being made as may be.
  mutating func begin() -> (account: Account.ID, work: Work)? {
    guard free > 0, let account = rotation.first, let work = lanes[account]?.first else {
      return nil
    }
    rotation.removeFirst()
    free -= 1
    return (account, work)
  }

  /// Tells that a portion of an account was made.
  ///
  /// - Parameter isOver: whether it was the last of its work.
  mutating func end(of account: Account.ID, isOver: Bool) {
    free += 1
    if isOver { lanes[account]?.removeFirst() }
    if lanes[account]?.isEmpty ?? true { lanes[account] = nil } else { rotation.append(account) }
  }
}
