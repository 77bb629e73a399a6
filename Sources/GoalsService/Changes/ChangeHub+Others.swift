import Dispatch
import GoalsCore
import GoalsStore

/// Edits that other servers of the same log recorded.
extension ChangeHub {
  /// Takes in where each account's log ended in the store. Every follower reads the edits that it
  /// was not told yet. A follower that was told an edit which the log has lost ends.
  ///
  /// - Parameter moment: that of the hub before the store was asked.
  func learn(_ heads: [Account.ID: Head], since moment: Int) {
    queue.async {
      for (account, head) in heads {
        self.learn(Cursor(head.version, head.chain), of: account, since: moment)
      }
    }
  }

  private func learn(_ head: Cursor, of account: Account.ID, since moment: Int) {
    dispatchPrecondition(condition: .onQueue(queue))
    guard let room = rooms[account] else { return }
    // A log that ends before what is known was read too early, unless nobody has moved since.
    let isPresent = room.movedAt <= moment
    guard isPresent || head.version >= room.knownVersion else { return }
    let isNew = head != room.known
    room.known = head
    for number in room.members.keys {
      step(number, in: account) { $0.learned(head: head, isPresent: isPresent) }
    }
    wake(.edit, in: account) { $0.isBehind(head) || isPresent && $0.isBeyond(head) }
    // An edit may have given the account another calendar.
    guard isNew, !room.members.isEmpty else { return }
    fetch(of: account, { [store] in try store.state(account)?.state.calendar }) { hub, calendar in
      guard let calendar, let room = hub.rooms[account], let today = room.today,
        today.calendar != calendar
      else { return }
      hub.look(room, at: calendar)
    }
  }
}
