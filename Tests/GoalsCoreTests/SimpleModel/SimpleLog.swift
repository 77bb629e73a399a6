import GoalsCore

/// An edit of the simple model's log. It never changes; a class, so that passing it on costs
/// little.
final class SimpleEntry {
  let version: Int
  let id: Edit.ID
  let at: Instant
  let recordedAt: Instant
  let device: String
  /// An activity is keyed here, in list order.
  let edit: Edit
  /// For `bump` and `skip`: the number of the day it counts on.
  let day: Int?
  /// For `undo`: the version of the entry that it takes back.
  let undone: Int?

  init(
    version: Int, id: Edit.ID, at: Instant, recordedAt: Instant, device: String, edit: Edit,
    day: Int?, undone: Int?
  ) {
    self.version = version
    self.id = id
    self.at = at
    self.recordedAt = recordedAt
    self.device = device
    self.edit = edit
    self.day = day
    self.undone = undone
  }
}

/// The log of the simple model: a second implementation of the rules, to be compared with the
/// first, as plain as possible, and written from the specification alone.
///
/// It keeps nothing but the log and the calendar that the account began with. What the log comes to
/// is worked out by going over all of it again, with lists and scans: see `SimpleAccount`.
struct SimpleLog {
  let initial: CalendarSettings
  private(set) var entries: [SimpleEntry] = []

  init(initial: CalendarSettings) { self.initial = initial }

  mutating func append(_ entry: SimpleEntry) { entries.append(entry) }

  func entry(_ id: Edit.ID) -> SimpleEntry? {
    for entry in entries where entry.id == id { return entry }
    return nil
  }

  func entry(at version: Int) -> SimpleEntry { entries[version - 1] }

  /// What an edit that is to be taken back does in the end: the edit at the start of the chain of
  /// undo and redo, and whether taking it back is a redo.
  func chain(to target: SimpleEntry) -> (root: SimpleEntry, isRedo: Bool) {
    var (root, isRedo) = (target, false)
    while let earlier = root.undone {
      root = entry(at: earlier)
      isRedo.toggle()
    }
    return (root, isRedo)
  }

  /// Which entry an `undo` of this one takes back; nil where it cannot be undone any more.
  ///
  /// "An edit stands until an undo of it stands; an undo needs that its target stands, and of a
  /// chain of undo and redo only the latest can be undone": by its own id, or by that of the edit
  /// at the chain's start where that stands again.
  func undoable(_ target: SimpleEntry) -> SimpleEntry? {
    var (latest, undos) = (target, 0)
    for entry in entries where entry.undone == latest.version {
      latest = entry
      undos += 1
    }
    return undos == 0 || target.undone == nil && undos % 2 == 0 ? latest : nil
  }

  /// The entries that stand: "an edit stands until an undo of it stands". An undo comes after what
  /// it takes back, so from the last to the first it is known when that has its turn.
  var standing: [SimpleEntry] {
    var isUndone = entries.map { _ in false }
    for entry in entries.reversed() where !isUndone[entry.version - 1] {
      if let target = entry.undone { isUndone[target - 1] = true }
    }
    return entries.filter { !isUndone[$0.version - 1] }
  }
}
