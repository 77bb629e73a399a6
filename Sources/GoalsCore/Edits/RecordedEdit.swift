/// An edit that happened: an entry of an account's log, with every default spelled out.
///
/// An object, because it is handed on by the judge, the writer, the log, the answer and every
/// observer, and is too large to be copied for each of them.
public final class RecordedEdit: Hashable, Sendable {
  /// What an `undo` took back.
  public struct Undone: Hashable, Sendable {
    /// The version of the edit at the start of the chain of undo and redo.
    public let root: Version
    /// What taking it back does.
    public let effect: Effect

    public init(root: Version, effect: Effect) {
      self.root = root
      self.effect = effect
    }
  }

  public let version: Version
  public let id: Edit.ID
  /// When it happened on the device.
  public let at: Instant
  /// When the server decided it; never before that of the edit before it.
  public let recordedAt: Instant
  /// The name of the token with which it came.
  public let device: String
  /// An activity is keyed here, in list order.
  public let edit: Edit
  /// For `bump` and `skip`: the day it counts on.
  public let day: Day?
  /// For `undo`: what it took back.
  public let undone: Undone?
  /// What it does to a state.
  public let effect: Effect
  /// What takes this edit back.
  public let reversal: Reversal

  /// Nil for what can't have happened: a bump or skip that counts on no day, an `undo` that took
  /// nothing back, an activity that is not keyed, and anything else with a day or with what it took
  /// back.
  ///
  /// - Parameter reversal: answers what takes back that effect.
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
  /// It judges nothing: what was recorded holds, whatever today's limits are.
  public func transform(_ state: AccountState) -> AccountState {
    var state = state
    transform(&state)
    return state
  }

  /// As above, in place.
  public func transform(_ state: inout AccountState) {
    state.alter(by: effect, at: at)
    state.version = version
    state.recordedAt = recordedAt
  }

  /// The edit at the start of the chain of undo and redo to which this one belongs; for all but an
  /// `undo` the edit itself.
  public var root: Version { undone?.root ?? version }

  /// What an undo of it does, or a redo, and what takes that back, where nothing that counts came
  /// between.
  public func mirrored(isUndone: Bool) -> (effect: Effect, reversal: Reversal) {
    let standing = reversal.standing ?? effect
    guard isUndone else { return (standing, reversal) }
    let back = Reversal(standing, standing: reversal.standing == nil ? nil : reversal.effect)
    return (reversal.effect, back)
  }
}

extension Effect {
  /// What an edit does, with the day on which it counts, the version at which it is recorded, and
  /// what it takes back; nil where it can't have been recorded with these.
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
