import GoalsCore
import GoalsStore

/// Edits that other servers of the same log recorded.
extension ChangeHub {
  /// Takes the version of each account's log, as it was in the store: every follower reads what it
  /// was not told yet.
  func learn(_ versions: [Account.ID: Version]) {
    queue.async {
      for (account, version) in versions { self.learn(version, of: account) }
    }
  }

  private func learn(_ version: Version, of account: Account.ID) {
    guard let room = rooms[account], room.known < version else { return }
    room.known = version
    // NB: a log that was empty may have been given one of another history. The client comes back.
    for member in room.members.values where member.follower.hasSeenEmptyLog { member.stream.end() }
    for number in room.members.keys { step(number, in: account) { $0.joined(head: version) } }
    for (number, waiter) in room.waiters where waiter.after < version {
      wake(number, in: account, .edit)
    }
    // An edit may have given the account another calendar.
    guard !room.members.isEmpty else { return }
    fetch({ [store] in try store.state(account)?.state.calendar }) { hub, calendar in
      guard let calendar, let room = hub.rooms[account], let today = room.today,
        today.calendar != calendar
      else { return }
      hub.look(room, at: calendar)
    }
  }
}
