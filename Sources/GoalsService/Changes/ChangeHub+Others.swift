import GoalsCore
import GoalsStore

/// Edits that other servers of the same log recorded.
extension ChangeHub {
  /// Takes where each account's log ended in the store: every follower reads what it was not told
  /// yet.
  func learn(_ heads: [Account.ID: Head]) {
    queue.async {
      for (account, head) in heads { self.learn(Cursor(head.version, head.chain), of: account) }
    }
  }

  private func learn(_ head: Cursor, of account: Account.ID) {
    // What was read before an edit that is known says nothing new.
    guard let room = rooms[account], head != room.known, head.version >= room.knownVersion
    else { return }
    room.known = head
    for number in room.members.keys { step(number, in: account) { $0.learned(head: head) } }
    wake(room, at: head, of: account)
    // An edit may have given the account another calendar.
    guard !room.members.isEmpty else { return }
    fetch(of: account, { [store] in try store.state(account)?.state.calendar }) { hub, calendar in
      guard let calendar, let room = hub.rooms[account], let today = room.today,
        today.calendar != calendar
      else { return }
      hub.look(room, at: calendar)
    }
  }
}
