extension AccountState {
  /// The active goals, in list order, whose period that holds `day` had ended when `today` began.
  public func elapsed(since day: Day, on today: Day, in calendar: GoalCalendar) -> [Goal.ID] {
    let ended = Interval.allCases.filter { calendar.period(of: $0, holding: day).end <= today }
    return roster.order.compactMap { slot in
      roster.look(in: slot) { goal in
        goal.isActive && ended.contains(goal.goal.interval) ? goal.goal.id : nil
      }
    }
  }
}
