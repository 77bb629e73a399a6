extension AccountState {
  /// The active goals, in list order, of which a period ended between two days: the one that holds
  /// `day` was over when `today` began.
  public func elapsed(since day: Day, on today: Day, in calendar: Calendar) -> [Goal.ID] {
    roster.list.filter { goal in
      goal.isActive && calendar.period(of: goal.goal.interval, holding: day).end <= today
    }
    .map(\.goal.id)
  }
}
