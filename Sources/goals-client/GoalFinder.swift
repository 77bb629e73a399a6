import ArgumentParser
import GoalsCore
import Terminal

extension Goals {
  /// The goal whose title begins so, in any case, if only one does; a title that is just this comes
  /// first. The start of an id will do, too: its first 8 digits at the least.
  func goal(named text: String) throws(CommandFailure) -> Item {
    guard !items.isEmpty else { throw CommandFailure("There are no goals yet: `goals add`.") }
    let wanted = text.lowercased()
    let exact = items.filter { $0.goal.title.text.lowercased() == wanted }
    var found = exact
    if found.isEmpty {
      found = items.filter { item in
        let title = item.goal.title.text.lowercased()
        // A picture of several scalars is found by its first, which is a picture, too.
        return title.hasPrefix(wanted) || title.unicodeScalars.starts(with: wanted.unicodeScalars)
      }
    }
    if found.isEmpty, wanted.count >= 8 {
      found = items.filter { $0.goal.id.description.hasPrefix(wanted) }
    }
    if found.count == 1 { return found[0] }
    guard !found.isEmpty else {
      throw CommandFailure("No goal begins with \(text). `goals list` shows them.")
    }
    let length = Self.lengthThatDiffers(items.map { $0.goal.id.description })
    let titlesDiffer = Set(found.map { $0.goal.title.text.lowercased() }).count == found.count
    let names = found.map { item in
      "\(item.goal.title.text.shown(within: 40)) (\(item.goal.id.description.prefix(length)))"
        + (titlesDiffer ? "" : " \(ListPicture.progress(of: item))")
    }
    let help =
      titlesDiffer
      ? "More of the title will do, or the id in brackets." : "The id in brackets will do."
    throw CommandFailure(
      "Several goals begin with \(text): \(names.joined(separator: ", ")). \(help)")
  }

  /// How many characters of each of these ids tell them apart, 8 at the least.
  private static func lengthThatDiffers(_ ids: [String]) -> Int {
    (8...36).first { length in Set(ids.map { $0.prefix(length) }).count == ids.count } ?? 36
  }
}

extension String {
  /// Refuses a name that would be the start of every title: a variable of a script that is not set.
  func checkAsName() throws {
    guard contains(where: { !$0.isWhitespace }) else {
      throw ValidationError("An empty name names no goal.")
    }
  }
}
