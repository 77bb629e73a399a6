import GoalsCore
import Terminal

/// What edits do, in words.
extension Session {
  /// What an edit does, and on which day it counts where that is not the present one.
  func words(for proposed: ProposedEdit) -> String {
    words(for: proposed.edit) + (otherDay(of: proposed).map { " on \($0)" } ?? "")
  }

  /// The day on which an edit counts, such as `Tue 24 Nov`; nil where it is the present one.
  func otherDay(of proposed: ProposedEdit) -> String? {
    guard case .progress = proposed.edit, let today = client.today,
      let day = proposed.day ?? proposed.at.flatMap({ client.calendar?.day(of: $0) }), day != today
    else { return nil }
    let month = HistoryPicture.months[Int(day.date.month) - 1]
    let words = "\(day.weekday.rawValue.prefix(3).capitalized) \(day.date.day) \(month)"
    return day.date.year == today.date.year ? words : "\(words) \(day.date.year)"
  }

  /// What an edit does, for a person: `Yoga +2`.
  func words(for edit: Edit) -> String {
    let roster = client.replica.shown.roster
    func title(_ id: Goal.ID) -> String {
      roster.goal(id)?.goal.title.text.shown(within: 40) ?? "a goal that is gone"
    }
    switch edit {
    case .goal(.add(let goal)): return "adding \(goal.title.text.shown(within: 40))"
    case .goal(.delete(let id)): return "deleting \(title(id))"
    case .goal(.update(let goal)): return "changing \(goal.title.text.shown(within: 40))"
    case .goal(.alter(let id, _)): return "changing \(title(id))"
    case .goal(.setActivity(.keyed(let activity))) where activity.elements.count == 1:
      let turned = activity.elements[0]
      return "turning \(title(turned.goal)) \(turned.isActive ? "on" : "off")"
    case .goal(.setActivity): return "turning goals on or off"
    case .goal(.move(let id, _)): return "moving \(title(id))"
    case .progress(.bump(let id, let by, _)):
      return "\(title(id)) \(by.value < 0 ? "−\(by.value.magnitude)" : "+\(by.value)")"
    case .progress(.skip(let id)): return "skipping \(title(id))"
    case .account(.configure): return "a change of the calendar"
    case .account(.undo): return "taking an edit back"
    }
  }
}
