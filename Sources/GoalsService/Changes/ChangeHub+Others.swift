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
    for (number, member) in room.members {
      if member.follower.hasSeenEmptyLog {
        startOn(version, member, of: account)
      } else {
        step(number, in: account) { $0.learned(head: version) }
      }
    }
    for (number, waiter) in room.waiters where waiter.after < version {
      wake(number, in: account, .edit)
    }
    // An edit may have given the account another calendar.
    guard !room.members.isEmpty else { return }
    fetch(of: account, { [store] in try store.state(account)?.state.calendar }) { hub, calendar in
      guard let calendar, let room = hub.rooms[account], let today = room.today,
        today.calendar != calendar
      else { return }
      hub.look(room, at: calendar)
    }
  }

  /// Goes on from an empty log to this version. An import elsewhere may have given the account a
  /// log of another history: then the stream ends, and its client comes back and is told so.
  private func startOn(_ version: Version, _ member: Room.Member, of account: Account.ID) {
    let (number, start, stream) = (member.number, member.start, member.stream)
    fetch(of: account, { [store] in try store.find(start, in: account) }) {
      guard $1 != nil else { return stream.end() }
      $0.step(number, in: account) { $0.learned(head: version) }
    }
  }
}
