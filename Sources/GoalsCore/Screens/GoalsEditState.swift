/// The screen of a front end: the list, or the list while a person turns its goals on and off. A
/// state machine without a screen, so that the same vectors can test front ends in any language.
///
/// Every step is total: a step that makes no sense in a state does not change it.
public enum GoalsEditState: Hashable, Sendable {
  /// The list is shown.
  case displaying
  /// A person turns goals of the list on and off. The values are those on the screen; the list does
  /// not have them yet.
  case editing(KeyedActivity)

  /// A step that a person takes.
  public enum Step: Hashable, Sendable {
    /// Begins to turn goals on and off.
    case edit
    /// Turns a goal on or off on the screen.
    case toggle(Goal.ID)
    /// Ends, and sends what was changed.
    case save
    /// Ends, and forgets what was changed.
    case cancel
  }

  /// The state after a step, and the edit to send, if the step asks for one.
  public func after(
    _ step: Step, in list: [(goal: Goal.ID, isActive: Bool)]
  ) -> (
    state: GoalsEditState, edit: GoalEdit?
  ) {
    switch (self, step) {
    case (.displaying, .edit):
      let shown = list.map { KeyedActivity.Element(goal: $0.goal, isActive: $0.isActive) }
      return (.editing(KeyedActivity(shown)), nil)
    case (.displaying, .toggle), (.displaying, .save), (.displaying, .cancel):
      return (self, nil)
    case (.editing(let activity), .toggle(let id)):
      return (.editing(activity.toggled(id)), nil)
    case (.editing(let activity), .save):
      let changes = activity.elements.filter { element in
        list.contains { $0.goal == element.goal && $0.isActive != element.isActive }
      }
      let edit = GoalEdit.setActivity(.keyed(KeyedActivity(changes)))
      return (.displaying, changes.isEmpty ? nil : edit)
    case (.editing, .edit):
      return (self, nil)
    case (.editing, .cancel):
      return (.displaying, nil)
    }
  }
}

extension KeyedActivity {
  fileprivate func toggled(_ id: Goal.ID) -> KeyedActivity {
    KeyedActivity(
      elements.map { element in
        element.goal == id ? Element(goal: id, isActive: !element.isActive) : element
      })
  }
}
