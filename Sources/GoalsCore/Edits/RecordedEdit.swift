/// An edit that happened: an entry of an account's log, with every default spelled out.
///
/// An object, because it is handed on by the judge, the writer, the log, the answer and every observer,
/// and is too large to be copied for each of them.
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
  /// What takes this edit back.
  public let reversal: Reversal

  public init(
    version: Version, id: Edit.ID, at: Instant, recordedAt: Instant, device: String, edit: Edit,
    day: Day? = nil, undone: Undone? = nil, reversal: Reversal
  ) {
    self.version = version
    self.id = id
    self.at = at
    self.recordedAt = recordedAt
    self.device = device
    self.edit = edit
    self.day = day
    self.undone = undone
    self.reversal = reversal
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
    effect.apply(to: &state, at: at)
    state.version = version
    state.recordedAt = recordedAt
  }

  /// The edit at the start of the chain of undo and redo to which this one belongs; for all but an
  /// `undo` the edit itself.
  public var root: Version { undone?.root ?? version }

  /// What an undo of it does, or a redo, and what takes that back, where nothing that counts came between.
  public func mirrored(isUndone: Bool) -> (effect: Effect, reversal: Reversal) {
    let standing = reversal.standing ?? effect
    guard isUndone else { return (standing, reversal) }
    let back = Reversal(standing, standing: reversal.standing == nil ? nil : reversal.effect)
    return (reversal.effect, back)
  }

  /// What it does to a state.
  public var effect: Effect {
    Effect(of: edit, on: day, version: version, undone: undone)
  }
}

extension Effect {
  /// What an edit does, with the day on which it counts and the version at which it is recorded.
  ///
  /// `undone` is what an `undo` takes back; without it, and for an activity that is not keyed,
  /// nothing is done.
  init(of edit: Edit, on day: Day?, version: Version, undone: RecordedEdit.Undone?) {
    switch edit {
    case .goal(.add(let goal)): self = .insert(goal)
    case .goal(.delete(let id)): self = .remove(id)
    case .goal(.update(let goal)): self = .alter(goal.id, goal.asChanges)
    case .goal(.alter(let id, let changes)): self = .alter(id, changes)
    case .goal(.setActivity(.keyed(let activity))): self = .turn(activity)
    case .goal(.setActivity(.listed)): self = .turn([:])
    case .goal(.move(let id, let successor)): self = .place(id, before: successor)
    case .progress(.bump(let id, let increment, let note)):
      self =
        day.map { .count(id, on: $0, by: increment.value, note: note, bump: version) } ?? .turn([:])
    case .progress(.skip(let id)): self = day.map { .excuse(id, on: $0, true) } ?? .turn([:])
    case .account(.configure(let changes)): self = .configure(changes)
    case .account(.undo): self = undone?.effect ?? .turn([:])
    }
  }
}
