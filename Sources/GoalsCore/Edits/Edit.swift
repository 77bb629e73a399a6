/// A change of the list of goals.
public enum GoalEdit: Hashable, Sendable {
  /// Puts a goal first in the list, inactive.
  case add(Goal)
  /// Takes a goal out of the list.
  case delete(Goal.ID)
  /// Replaces everything but the id; counts stay.
  case update(Goal)
  /// Changes only the named fields.
  case alter(Goal.ID, Goal.Changes)
  /// Turns goals on and off.
  case setActivity(Activity)
  /// Puts a goal before another, or at the end.
  case move(Goal.ID, before: Goal.ID?)
}

/// The goals to turn on or off.
public enum Activity: Hashable, Sendable {
  /// These goals, by id.
  case keyed(KeyedActivity)
  /// Every goal of the list, in its order.
  case listed([Bool])

  /// How many goals the activity names.
  public var count: Int {
    switch self {
    case .keyed(let keyed): keyed.elements.count
    case .listed(let values): values.count
    }
  }
}

/// A change of the counts and excuses of a goal.
public enum ProgressEdit: Hashable, Sendable {
  /// Counts on the edit's day: the one that it names, or else that of its `at`.
  case bump(Goal.ID, by: Increment, note: Note?)
  /// Excuses the period that holds the edit's day.
  case skip(Goal.ID)
}

/// A change of the account itself.
public enum AccountEdit: Hashable, Sendable {
  /// Changes how the account cuts time into days, weeks and months.
  case configure(CalendarSettings.Changes)
  /// Takes a recorded edit back.
  case undo(Edit.ID)
}

/// A change that a person asks for. In the log it is a `RecordedEdit`.
public enum Edit: Hashable, Sendable {
  /// The id that a device gives an edit.
  public typealias ID = GoalsCore.ID<Edit>

  /// A change of the list.
  case goal(GoalEdit)
  /// A change of progress.
  case progress(ProgressEdit)
  /// A change of the account.
  case account(AccountEdit)

  /// A change of the list.
  public init(_ edit: GoalEdit) { self = .goal(edit) }
  /// A change of progress.
  public init(_ edit: ProgressEdit) { self = .progress(edit) }
  /// A change of the account.
  public init(_ edit: AccountEdit) { self = .account(edit) }

  /// The edit's type, by the name that clients use.
  public var type: EditType {
    switch self {
    case .goal(.add): .add
    case .goal(.delete): .delete
    case .goal(.update): .update
    case .goal(.alter): .alter
    case .goal(.setActivity): .setActivity
    case .goal(.move): .move
    case .progress(.bump): .bump
    case .progress(.skip): .skip
    case .account(.configure): .configure
    case .account(.undo): .undo
    }
  }
}

extension Edit {
  /// The time zone that a `configure` names.
  public var namedZone: ZoneName? {
    if case .account(.configure(let changes)) = self { changes.timeZone } else { nil }
  }

  /// The edit that an `undo` takes back.
  public var undone: ID? {
    if case .account(.undo(let id)) = self { id } else { nil }
  }
}

/// The types of edits, by the names that clients use.
public enum EditType: String, CaseIterable, Sendable {
  /// Each is written as its name in JSON.
  case add, delete, update, alter, setActivity, move, bump, skip, configure, undo
}
