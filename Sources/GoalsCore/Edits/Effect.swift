/// A change of an account's state. Every edit has one of these effects, and so has every undo.
///
///     state.alter(by: .insert(goal), .setActivity([goal.id: true]), at: instant)
public enum Effect: Hashable, Sendable {
  /// Puts a new goal first in the list, inactive.
  case insert(Goal)
  /// Takes a goal out of the list.
  case remove(Goal.ID)
  /// Puts a removed goal back as it was, before another or at the end.
  case restore(Goal.ID, before: Goal.ID?)
  /// Changes fields of a goal.
  case alter(Goal.ID, Goal.Changes)
  /// Turns goals on and off.
  case setActivity(KeyedActivity)
  /// Moves a goal before another or to the end.
  case move(Goal.ID, before: Goal.ID?)
  /// Adds to a day's count. Keeps the note of the bump with this version, or removes that bump's
  /// note where `note` is nil.
  case count(Goal.ID, on: Day, by: Int, note: Note?, bump: Version)
  /// Excuses a day of a goal, or takes its excuse back.
  case excuse(Goal.ID, on: Day, Bool)
  /// Changes the settings of the calendar.
  case configure(CalendarSettings.Changes)
}

/// The effect that takes an edit back, and the condition for it.
public struct Reversal: Hashable, Sendable {
  /// What takes the edit back.
  public let effect: Effect
  /// The effect that must still stand. Where it would change something again, later edits have
  /// overtaken it. Nil where there is no condition.
  public let standing: Effect?

  /// A reversal, which without `standing` is always possible.
  public init(_ effect: Effect, standing: Effect? = nil) {
    self.effect = effect
    self.standing = standing
  }

  /// The reversal of an activity in which every element turned a goal on or off.
  init(turned: KeyedActivity) {
    self.init(.setActivity(turned.negated), standing: .setActivity(turned))
  }

  /// The reversal of an activity in which only the flagged elements turned a goal on or off. Nil
  /// unless there is a flag for each element; up to three more flags may follow, all of them false.
  public init?(turning activity: KeyedActivity, _ flags: [Bool]) {
    let count = activity.elements.count
    guard flags.count >= count, flags.count < count + 4, !flags[count...].contains(true) else {
      return nil
    }
    self.init(
      turned: KeyedActivity(unique: zip(activity.elements, flags).filter { $0.1 }.map { $0.0 }))
  }
}

extension AccountState {
  /// Applies effects as of an instant, one after the other. Total: an effect on a goal that is
  /// missing changes nothing.
  mutating func alter(by effects: Effect..., at instant: Instant) {
    for effect in effects { alter(by: effect, at: instant) }
  }

  /// Applies one effect without an array.
  mutating func alter(by effect: Effect, at instant: Instant) {
    switch effect {
    case .insert(let goal):
      roster.insert(TrackedGoal(goal, createdAt: instant))
    case .remove(let id):
      roster.unlist(id)
      roster.update(id) { $0.existence.set(false, from: instant) }
    case .restore(let id, let successor):
      roster.list(id, before: successor)
      roster.update(id) { $0.existence.set(true, from: instant) }
    case .alter(let id, let changes):
      roster.update(id) { $0 = $0.altered(by: changes, from: instant) }
    case .setActivity(let activity):
      for element in activity.elements {
        roster.update(element.goal) { $0.setActive(element.isActive, from: instant) }
      }
    case .move(let id, let successor):
      if roster.listed(id) != nil { roster.list(id, before: successor) }
    case .count(let id, let day, let amount, let note, let version):
      roster.update(id) { goal in
        goal.days.add(amount, on: day)
        goal.notes.set(note, on: day, version: version)
      }
    case .excuse(let id, let day, let isExcused):
      roster.update(id) { $0.days.setExcused(isExcused, on: day) }
    case .configure(let changes):
      calendar = calendar.changed(by: changes)
    }
  }
}

extension Effect {
  /// Whether no present value of the state would change.
  func changesNothing(in state: AccountState) -> Bool {
    switch self {
    case .insert(let goal):
      return state.roster.goal(goal.id) != nil
    case .remove(let id):
      return state.roster.listed(id) == nil
    case .restore(let id, _):
      return state.roster.listed(id) != nil
    case .alter(let id, let changes):
      return state.roster.listed(id).map { $0.goal.alter(by: changes) == $0.goal } ?? true
    case .setActivity(let activity):
      return !activity.elements.contains { $0.changes(state) }
    case .move(let id, let successor):
      let listed = successor.flatMap { state.roster.listed($0)?.goal.id }
      return id == successor || state.roster.successor(of: id) == listed
    case .count(_, _, let amount, _, _):
      return amount == 0
    case .excuse(let id, let day, let isExcused):
      return state.roster.goal(id).map { $0.days[day].isExcused == isExcused } ?? true
    case .configure(let changes):
      return state.calendar.changed(by: changes) == state.calendar
    }
  }

  /// The reversal of this effect. `state` is the state before the effect.
  package func reversal(in state: AccountState) -> Reversal {
    switch self {
    case .insert(let goal):
      return Reversal(.remove(goal.id))
    case .remove(let id):
      return Reversal(.restore(id, before: state.roster.successor(of: id)))
    case .restore(let id, _):
      return Reversal(.remove(id))
    case .alter(let id, let changes):
      guard let goal = state.roster.goal(id)?.goal else { return Reversal(self) }
      let old = goal.alter(by: changes).changes(to: goal)
      let new = goal.changes(to: goal.alter(by: changes))
      return Reversal(.alter(id, old), standing: .alter(id, new))
    case .setActivity(let activity):
      return Reversal(turned: activity.turning(in: state))
    case .move(let id, _):
      return Reversal(.move(id, before: state.roster.successor(of: id)))
    case .count(let id, let day, let amount, let note, let version):
      let kept = note == nil ? state.roster.look(at: id) { $0.notes[version]?.note } ?? nil : nil
      return Reversal(.count(id, on: day, by: -amount, note: kept, bump: version))
    case .excuse(let id, let day, let isExcused):
      return Reversal(.excuse(id, on: day, !isExcused), standing: self)
    case .configure(let changes):
      let difference = state.calendar.difference(to: changes)
      return Reversal(
        .configure(state.calendar.values(of: difference)), standing: .configure(difference))
    }
  }

  /// The goals that the effect names.
  public var goals: [Goal.ID] {
    switch self {
    case .insert(let goal): [goal.id]
    case .remove(let id), .restore(let id, _), .alter(let id, _), .move(let id, _): [id]
    case .count(let id, _, _, _, _), .excuse(let id, _, _): [id]
    case .setActivity(let activity): activity.elements.map { $0.goal }
    case .configure: []
    }
  }
}

extension KeyedActivity {
  /// The elements that would turn a goal of the list on or off.
  fileprivate func turning(in state: AccountState) -> KeyedActivity {
    KeyedActivity(unique: elements.filter { $0.changes(state) })
  }

  fileprivate var negated: KeyedActivity {
    KeyedActivity(unique: elements.map { Element(goal: $0.goal, isActive: !$0.isActive) })
  }
}

extension KeyedActivity.Element {
  fileprivate func changes(_ state: AccountState) -> Bool {
    state.roster.isActive(goal).map { $0 != isActive } ?? false
  }
}
