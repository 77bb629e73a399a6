import GoalsCore
import GoalsWire
import JSON

/// The account whose list takes longest, of those that we tried and the limits allow: a thousand
/// goals, which remember as many changes as an account may. Twelve of them remember as many as a
/// goal may, on every day of eleven years another interval, which makes a list after an edit long.
/// The others are counted on every fourth day, so that each count ends the run before it, and are
/// turned off and on. A million days with a count are about what an account has room for.
struct WorstAccount {
  let now = Instant(milliseconds: 1_795_000_000_000)
  let calendar = GoalCalendar()
  let state: AccountState

  private static let goals = 1000
  private static let long = 12
  private static let day: Int64 = 86_400_000

  init() throws {
    let start = now.adding(milliseconds: -4090 * Self.day)
    var goals: [TrackedGoal] = []
    let share = (AccountState.maximumChanges - Self.long * 4090) / (Self.goals - Self.long)
    for number in 0..<Self.goals {
      goals.append(
        try Self.goal(number, from: start, changes: number < Self.long ? 4090 : share))
    }
    guard let roster = Roster(goals: goals, order: Array(goals.indices)),
      roster.changes <= AccountState.maximumChanges
    else { throw Sample.Unusable() }
    state = AccountState(
      version: Version(1_000_000), recordedAt: now, calendar: .initial, roster: roster)
  }

  private static func goal(
    _ number: Int, from start: Instant, changes: Int
  ) throws -> TrackedGoal {
    guard let title = Title("Goal number \(number + 1)"), let once = Frequency(1) else {
      throw Sample.Unusable()
    }
    let isLong = changes > 1000
    let first = GoalCalendar().day(of: start)
    var counts = DayCounts()
    for number in stride(from: 0, to: isLong ? 4090 : 3800, by: isLong ? 1 : 4) {
      guard let day = first.adding(days: Int64(number)) else { continue }
      counts.add(1 + number % 3, on: day)
      if number.isMultiple(of: 11) { counts.setExcused(true, on: day) }
    }
    var intervals = Timeline(Interval.daily, from: start)
    var activity = Timeline(true, from: start)
    let distance = day * Int64(4090 / changes)
    for change in 0..<changes {
      let instant = start.adding(milliseconds: distance * Int64(change))
      if isLong {
        intervals.set(Interval.allCases[change % 2], from: instant)
      } else {
        activity.set(change.isMultiple(of: 2), from: instant)
      }
    }
    return TrackedGoal(
      id: Sample.goalID(UInt64(number)), title: title, colour: .green, unit: nil,
      intervals: intervals, frequencies: Timeline(once, from: start), activity: activity,
      existence: Timeline(true, from: start), days: counts, notes: KeptNotes())
  }

  /// The same after one edit.
  private func after(_ edit: Edit) -> AccountState {
    let batch = Batch(
      device: "phone",
      proposals: [.edit(ProposedEdit(id: Edit.ID(high: 4, low: 4), edit: edit))])
    let circumstances = Circumstances(now: now, zones: Zones())
    return state.judge(batch, chain: nil, by: circumstances).state ?? state
  }

  private func list(_ state: AccountState, _ counts: inout StreakCounts) -> Int {
    let goals = state.goals(at: now, in: calendar, counting: &counts)
    var json = JSONWriter(reserving: 320 * goals.items.count)
    json.array { json in for item in goals.items { json.value(item) } }
    return json.bytes.count
  }

  func parts() -> [Part] {
    var counts = StreakCounts()
    _ = list(state, &counts)
    let all = (0..<UInt64(Self.goals)).map {
      KeyedActivity.Element(
        goal: Sample.goalID($0), isActive: state.roster.isActive(Sample.goalID($0)) == false)
    }
    let edits: [(String, Edit)] = [
      ("a bump", Sample.bump(7)), ("a bump of an ordinary goal", Sample.bump(777)),
      ("a new interval", Edit(.alter(Sample.goalID(7), [.rescheduling(to: .monthly)]))),
      ("turning all goals off and on", Edit(.setActivity(.keyed(KeyedActivity(all))))),
    ]
    return [
      Part(name: "worst list: cold") {
        var counts = StreakCounts()
        keep(list(state, &counts))
      }
    ]
      + edits.map { name, edit in
        let state = after(edit)
        let counts = counts
        return Part(name: "worst list: after \(name)") {
          var counts = counts
          keep(list(state, &counts))
        }
      }
  }
}
