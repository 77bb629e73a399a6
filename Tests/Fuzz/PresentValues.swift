import GoalsCore

/// What is so in an account at present, without what it remembers of the past.
struct PresentValues: Equatable {
  struct Listed: Equatable {
    let goal: Goal
    let isActive: Bool
    let days: [DayCounts.DayCount]
    let notes: [TrackedGoal.KeptNote]
  }

  let calendar: CalendarSettings
  /// In list order.
  let goals: [Listed]
}

extension AccountState {
  var present: PresentValues {
    PresentValues(
      calendar: calendar,
      goals: roster.list.map { tracked in
        PresentValues.Listed(
          goal: tracked.goal, isActive: tracked.isActive, days: tracked.days.all,
          notes: tracked.notes.all)
      })
  }
}

/// What holds of every state.
func checkState(_ state: AccountState) throws(Broken) {
  let roster = state.roster
  let made = (0..<roster.everMade).compactMap { roster.goal(in: $0) }
  try claim(made.count == roster.everMade, "a slot is empty")
  try claim(Roster(goals: made, order: roster.order) == roster, "the roster contradicts itself")
  try claim(Set(roster.ids).count == roster.count, "a goal is in the list twice")
  for (slot, goal) in made.enumerated() {
    try claim(roster.slot(of: goal.goal.id) == slot, "a goal has two slots")
    try claim(
      goal.days.all.allSatisfy { $0.count > 0 || $0.count == 0 && $0.isExcused },
      "a count is below zero, or of nothing")
    try claim(goal.intervals.current == goal.goal.interval, "another interval than it remembers")
    try claim(goal.frequencies.current == goal.goal.frequency, "another frequency")
    try checkTimeline(goal.intervals)
    try checkTimeline(goal.frequencies)
    try checkTimeline(goal.activity)
    try checkTimeline(goal.existence)
    let versions = goal.notes.all.map(\.version)
    try claim(versions == Array(Set(versions)).sorted(), "notes out of order")
    try claim(versions.allSatisfy { $0 <= state.version }, "a note of no edit")
  }
}

private func checkTimeline<Value>(_ timeline: Timeline<Value>) throws(Broken) {
  let settings = timeline.settings
  for (setting, next) in zip(settings, settings.dropFirst()) {
    try claim(
      setting.from < next.from || settings.first == setting && setting.from <= next.from,
      "a timeline does not rise")
    try claim(setting.value != next.value, "a timeline repeats a value")
  }
  try claim(Timeline(settings) == timeline, "a timeline is another when it is read")
}
