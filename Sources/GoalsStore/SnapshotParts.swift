import GoalsCore
import GoalsWire

/// Puts an account's state together from the rows in which a database keeps it. What no state can
/// be made of is thrown as corrupt.
struct SnapshotParts {
  /// The format of what is written here. A snapshot of another one is made anew from the log.
  static let format: Int64 = 1

  private var goals: [TrackedGoal] = []
  private var days: [Int: [DayCounts.DayCount]] = [:]
  private var notes: [Int: [TrackedGoal.KeptNote]] = [:]

  static func unreadable(_ what: String) -> StoreError { .corrupt("\(what) can't be read") }

  /// Takes a day of the goal in a slot. A goal's days come in order.
  mutating func addDay(_ slot: Int64, _ number: Int64, count: Int64, isExcused: Bool?) throws {
    guard let day = Day(number: number), let isExcused else { throw Self.unreadable("a day") }
    days[Int(slot), default: []].append(
      DayCounts.DayCount(day: day, count: Int(count), isExcused: isExcused))
  }

  /// Takes a note of the goal in a slot. A goal's notes come in the order of their bumps.
  mutating func addNote(_ slot: Int64, _ bump: Version, _ number: Int64, _ text: String) throws {
    guard let day = Day(number: number), let note = Note(text) else {
      throw Self.unreadable("a note")
    }
    notes[Int(slot), default: []].append(TrackedGoal.KeptNote(version: bump, day: day, note: note))
  }

  /// Takes a goal, in the order of the slots and after all days and notes.
  mutating func addGoal(
    _ slot: Int64, id: Goal.ID?, title: String, colour: String, unit unitText: String?,
    timelines: [UInt8]
  ) throws {
    let slot = Int(slot)
    guard slot == goals.count else { throw Self.unreadable("the order of the goals") }
    let unit = unitText.flatMap { GoalUnit($0) }
    guard (unit == nil) == (unitText == nil), let id, let title = Title(title),
      let colour = Colour(colour), let timelines = Timelines(timelines)
    else { throw Self.unreadable("a goal") }
    goals.append(
      TrackedGoal(
        id: id, title: title, colour: colour, unit: unit, intervals: timelines.intervals,
        frequencies: timelines.frequencies, activity: timelines.activity,
        existence: timelines.existence,
        days: days.removeValue(forKey: slot).map { DayCounts($0) }
          ?? DayCounts(), notes: KeptNotes(notes.removeValue(forKey: slot) ?? [])))
  }

  /// The state at the version and instant of the log's end.
  func state(
    version: Version, recordedAt: Instant?, calendar: CalendarSettings?, list: [UInt8]
  ) throws -> AccountState {
    guard let calendar else { throw Self.unreadable("the calendar") }
    // A goal that is made later would find them there.
    guard days.isEmpty else { throw Self.unreadable("a day of no goal") }
    guard notes.isEmpty else { throw Self.unreadable("a note of no goal") }
    guard let order = Self.slots(list), let roster = Roster(goals: goals, order: order) else {
      throw Self.unreadable("the list")
    }
    return AccountState(
      version: version, recordedAt: recordedAt, calendar: calendar, roster: roster)
  }

  /// The order of the list as it is kept: slots of 32 bits, big-endian.
  static func list(of slots: [Int]) -> [UInt8] {
    slots.flatMap { slot in
      [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: slot >> $0) }
    }
  }

  /// Nil where the last slot is cut off.
  private static func slots(_ list: [UInt8]) -> [Int]? {
    guard list.count.isMultiple(of: 4) else { return nil }
    return stride(from: 0, to: list.count, by: 4).map { start in
      list[start..<start + 4].reduce(0) { $0 << 8 | Int($1) }
    }
  }
}

extension CalendarSettings {
  /// Nil where one of the columns is none.
  init?(zone: String, isoWeekStart: Int64, dayStart: Int64) {
    guard let zone = ZoneName(zone), let weekStart = Weekday(isoNumber: Int(isoWeekStart)),
      let dayStart = DayStart(minutes: Int(dayStart))
    else { return nil }
    self.init(timeZone: zone, weekStart: weekStart, dayStart: dayStart)
  }
}

extension Weekday {
  /// ISO 8601's number: 1 for Monday to 7 for Sunday.
  var isoNumber: Int64 { Int64((Self.allCases.firstIndex(of: self) ?? 0) + 1) }

  init?(isoNumber: Int) {
    guard Self.allCases.indices.contains(isoNumber - 1) else { return nil }
    self = Self.allCases[isoNumber - 1]
  }
}

extension AccountState {
  /// A goal with the slot in which it is kept; nil where there is none.
  func tracked(_ id: Goal.ID) -> (slot: Int, goal: TrackedGoal)? {
    guard let slot = roster.slot(of: id), let goal = roster.goal(in: slot) else { return nil }
    return (slot, goal)
  }
}
