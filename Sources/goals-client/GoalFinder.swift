import GoalsCore
import Terminal

extension Goals {
  /// The goal whose title begins so, in any case, if only one does; a title that is just this comes
  /// first. An id will do, too.
  func goal(named text: String) throws -> Entry {
    if let id = Goal.ID(text), let entry = entries.first(where: { $0.goal.id == id }) {
      return entry
    }
    let wanted = text.lowercased()
    let exact = entries.filter { $0.goal.title.text.lowercased() == wanted }
    if exact.count == 1 { return exact[0] }
    let found = entries.filter { $0.goal.title.text.lowercased().hasPrefix(wanted) }
    if found.count == 1 { return found[0] }
    guard found.isEmpty else {
      let titles = found.map { $0.goal.title.text.shown(within: 40) }.joined(separator: ", ")
      throw CommandFailure("Several goals begin with \(text): \(titles).")
    }
    guard !entries.isEmpty else { throw CommandFailure("There are no goals yet: `goals add`.") }
    throw CommandFailure("No goal begins with \(text). `goals list` shows them.")
  }
}
