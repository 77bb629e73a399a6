import GoalsCore
import GoalsStore

extension AdminReply.NewAccount {
  /// - Parameter address: where people reach the server.
  init(_ new: NewAccount, at address: String?) {
    self.init(
      id: new.account.record.id.description, name: new.account.record.name,
      timeZone: new.account.calendar.timeZone.text, token: new.token?.text,
      link: new.link.map { .init($0, at: address) })
  }
}

extension AdminReply.NewLink {
  init(_ new: NewLink, at address: String?) {
    let record = new.record
    self.init(
      name: record.name, scope: record.scope.rawValue, goal: record.goal?.description,
      expiresAt: record.tokenExpiresAt?.description, code: new.code.text,
      endsAt: record.endsAt.description, address: address)
  }
}

extension AdminReply.Account {
  init(_ account: AccountView) {
    self.init(
      id: account.record.id.description, name: account.record.name,
      timeZone: account.calendar.timeZone.text, timeZoneChosen: account.record.isZoneChosen,
      weekStart: account.calendar.weekStart.rawValue, dayStart: "\(account.calendar.dayStart)")
  }
}

extension AdminReply.ListedAccount {
  init(_ account: ListedAccount) {
    self.init(
      id: account.record.id.description, name: account.record.name,
      timeZone: account.timeZone.text, timeZoneChosen: account.record.isZoneChosen,
      createdAt: account.record.createdAt.description,
      lastActiveAt: account.lastActiveAt?.description, logBytes: account.logBytes)
  }
}

extension AdminReply.RemovedAccount {
  init(_ account: AccountRecord) {
    self.init(
      id: account.id.description, name: account.name, createdAt: account.createdAt.description)
  }
}

extension AdminReply.GoalList {
  init(_ listing: Listing, of account: AccountRecord) {
    self.init(
      id: account.id.description, name: account.name,
      edits: listing.cursor.head.version.number,
      goals: listing.goals.items.map { AdminReply.ListedGoal($0) })
  }
}

extension AdminReply.ListedGoal {
  fileprivate init(_ item: Goals.Item) {
    let running: RunningPeriod?
    switch item.progress {
    case .inactive: running = nil
    case .active(let period): running = period
    }
    self.init(
      id: item.goal.id.description, title: item.goal.title.text,
      interval: item.goal.interval.rawValue, frequency: item.goal.frequency.value,
      unit: item.goal.unit?.text, active: item.progress.isActive, progress: running?.count,
      today: running?.today, state: running?.state.rawValue, streak: item.streak.current)
  }
}

extension AdminReply.ListedToken {
  init(_ record: TokenRecord, token: String? = nil) {
    self.init(
      id: record.id.description, name: record.name, scope: record.scope.rawValue,
      goal: record.goal?.description, madeBy: record.madeBy?.description,
      createdAt: record.createdAt.description,
      lastUsedAt: record.lastUsedAt?.description, expiresAt: record.expiresAt?.description,
      token: token)
  }
}
