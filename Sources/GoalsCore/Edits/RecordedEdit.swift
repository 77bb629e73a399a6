/// An entry of an account's log: an edit with every default filled in.
///
/// A class, since the judge, the writer, the log, the answer and every observer hand it on, and it
/// is too large to copy for each of them.
public final class RecordedEdit: Hashable, Sendable {
  /// The edit that an `undo` took back.
  public struct Undone: Hashable, Sendable {
    /// The version of the edit at the start of the chain of undo and redo.
    public let root: Version
    /// The effect of taking the edit back.
    public let effect: Effect

    /// What an `undo` took back.
    public init(root: Version, effect: Effect) {
      self.root = root
      self.effect = effect
    }
  }

  /// The position of the edit in the log: 1 for the first.
  public let version: Version
  /// The id that the device gave the edit.
  public let id: Edit.ID
  /// When the edit happened on the device.
  public let at: Instant
  /// When the server decided the edit; never before the `recordedAt` of the edit before it.
  public let recordedAt: Instant
  /// The name of the token that the request used.
  public let device: String
  /// The edit; an activity is keyed here, in list order.
  public let edit: Edit
  /// For `bump` and `skip`: the day on which the edit counts.
  public let day: Day?
  /// For `undo`: the edit that it took back.
  public let undone: Undone?
  /// The change that the edit makes to a state.
  public let effect: Effect
  /// The effect that takes this edit back, and its condition.
  public let reversal: Reversal

  /// Nil for an edit that can't have happened: a bump or skip without a day, an `undo` without
  /// `undone`, an activity that is not keyed, and any other edit with a day or with `undone`.
  ///
  /// - Parameter reversal: returns the reversal of the edit's effect.
  public init?(
    version: Version, id: Edit.ID, at: Instant, recordedAt: Instant, device: String, edit: Edit,
    day: Day? = nil, undone: Undone? = nil, reversal: (Effect) -> Reversal
  ) {
    guard let effect = Effect(of: edit, on: day, version: version, undone: undone) else {
      return nil
    }
    self.version = version
    self.id = id
    self.at = at
    self.recordedAt = recordedAt
    self.device = device
    self.edit = edit
    self.day = day
    self.undone = undone
    self.effect = effect
    self.reversal = reversal(effect)
  }

  public static func == (left: RecordedEdit, right: RecordedEdit) -> Bool {
    left === right
      || left.version == right.version && left.id == right.id && left.at == right.at
        && left.recordedAt == right.recordedAt && left.device == right.device
        && left.edit == right.edit && left.day == right.day && left.undone == right.undone
        && left.reversal == right.reversal
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(version)
    hasher.combine(id)
  }

  /// The state after this edit. Nothing else changes a state.
  ///
  /// It judges nothing: a recorded edit holds, whatever today's limits are.
  public func transform(_ state: AccountState) -> AccountState {
    var state = state
    transform(&state)
    return state
  }

  /// Applies this edit to a state in place.
  public func transform(_ state: inout AccountState) {
    state.alter(by: effect, at: at)
    state.version = version
    state.recordedAt = recordedAt
  }

  /// The version of the edit at the start of this edit's chain of undo and redo; for all but an
  /// `undo` the edit's own version.
  public var root: Version { undone?.root ?? version }

  /// The goals that the edit changed: those that taking it back would change. An activity names
  /// others, too, which were so already.
  public var goals: [Goal.ID] { reversal.effect.goals }

  /// The effect of an undo of this edit where `isUndone`, else of a redo, and the reversal of that
  /// effect. They hold where no edit in between changed the same values.
  public func mirrored(isUndone: Bool) -> (effect: Effect, reversal: Reversal) {
    let standing = reversal.standing ?? effect
    guard isUndone else { return (standing, reversal) }
    let back = Reversal(standing, standing: reversal.standing == nil ? nil : reversal.effect)
    return (reversal.effect, back)
  }
}

extension Effect {
  /// The effect of an edit, given the day on which it counts, the version at which it is recorded,
  /// and the edit that it takes back; nil where the edit can't have been recorded with these.
  init?(of edit: Edit, on day: Day?, version: Version, undone: RecordedEdit.Undone?) {
    let isProgress = if case .progress = edit { true } else { false }
    let isUndo = if case .account(.undo) = edit { true } else { false }
    guard isProgress == (day != nil), isUndo == (undone != nil) else { return nil }
    let effect: Effect? =
      switch edit {
      case .goal(.add(let goal)): .insert(goal)
      case .goal(.delete(let id)): .remove(id)
      case .goal(.update(let goal)): .alter(goal.id, goal.asChanges)
      case .goal(.alter(let id, let changes)): .alter(id, changes)
      case .goal(.setActivity(.keyed(let activity))): .setActivity(activity)
      case .goal(.setActivity(.listed)): nil
      case .goal(.move(let id, let successor)): .move(id, before: successor)
      case .progress(.bump(let id, let increment, let note)):
        day.map { .count(id, on: $0, by: increment.value, note: note, bump: version) }
      case .progress(.skip(let id)): day.map { .excuse(id, on: $0, true) }
      case .account(.configure(let changes)): .configure(changes)
      case .account(.undo): undone?.effect
      }
    guard let effect else { return nil }
    self = effect
  }
}
