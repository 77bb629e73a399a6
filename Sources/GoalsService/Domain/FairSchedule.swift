import GoalsCore

/// The order of the work that takes long, as a state machine. It is told which folds come and end,
/// and answers the fold whose portion is next.
///
/// An account's folds are done one after the other. Accounts take turns, a portion each, so an
/// account that has many waits for itself alone.
struct FairSchedule<Fold> {
  /// How many of an account may wait or be done: the requests of all devices of a person, and then
  /// some.
  static var maximum: Int { 64 }

  private var lanes: [Account.ID: [Fold]] = [:]
  /// The accounts that have folds, in the order of their turns.
  private var rotation: [Account.ID] = []
  private var isBusy = false

  /// Adds a fold. Answers false where the account has too many.
  ///
  /// - Parameter isOwed: whether it is added in any case, because it ends work that has begun.
  mutating func add(_ fold: Fold, of account: Account.ID, isOwed: Bool = false) -> Bool {
    guard let lane = lanes[account] else {
      lanes[account] = [fold]
      rotation.append(account)
      return true
    }
    guard isOwed || lane.count < Self.maximum else { return false }
    lanes[account]?.append(fold)
    return true
  }

  /// The fold whose portion is to be made now; nil where there is none, or a portion is being made.
  mutating func begin() -> Fold? {
    guard !isBusy, let account = rotation.first, let fold = lanes[account]?.first else {
      return nil
    }
    isBusy = true
    return fold
  }

  /// Tells that the portion was made.
  ///
  /// - Parameter isOver: whether it was the last of its fold.
  mutating func end(isOver: Bool) {
    guard isBusy, let account = rotation.first else { return }
    isBusy = false
    rotation.removeFirst()
    if isOver { lanes[account]?.removeFirst() }
    if lanes[account]?.isEmpty ?? true { lanes[account] = nil } else { rotation.append(account) }
  }
}
