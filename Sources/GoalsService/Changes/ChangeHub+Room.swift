import GoalsCore
import HTTPServer

extension ChangeHub {
  /// A request that is held until there is an edit.
  struct Waiter {
    let after: Cursor?
    let caller: Caller
    /// By the time since the system started: nobody sets that.
    let deadline: Duration
    let wake: @Sendable (Waking) -> Void

    /// Whether a log that ends there has something to tell: an edit, or that it is of another
    /// history than the cursor.
    func isBehind(_ head: Cursor) -> Bool {
      guard let after else { return head.version > .none }
      return head.version >= after.version && head != after
    }

    /// Whether a log that ends there has lost where it waits.
    func isBeyond(_ head: Cursor) -> Bool { after.map { head.version < $0.version } ?? false }
  }

  /// The streams and the waiting requests of one account.
  final class Room {
    final class Member {
      /// Which of the hub's streams it is.
      let number: Int
      var follower: Follower
      let caller: Caller
      let stream: ResponseStream
      /// When the page was written that the client has yet to take, and how many bytes were
      /// announced since.
      var page = (writtenAt: Instant(milliseconds: 0), behind: 0)

      init(_ following: Following, _ number: Int, _ stream: ResponseStream) {
        self.number = number
        follower = Follower(at: following.start)
        caller = following.caller
        self.stream = stream
      }
    }

    /// By their numbers.
    var members: [Int: Member] = [:] {
      didSet { sorted = nil }
    }
    var waiters: [Int: Waiter] = [:]
    /// When somebody came, or was told something, last: a moment of the hub.
    var movedAt = 0
    /// The end of the log that all who follow were told of last, or are being.
    var known: Cursor?
    var knownVersion: Version { known?.version ?? .none }
    /// The day by the last look at the clock; nil where there was no stream.
    var today: Today?
    private var sorted: [Member]?

    /// The members in the order in which they came. Announcements are written in this order:
    /// connections lie in memory in about the same order, and ten thousand in any other cost a
    /// tenth more time.
    var inOrder: [Member] {
      if let sorted { return sorted }
      let sorted = members.values.sorted { $0.number < $1.number }
      self.sorted = sorted
      return sorted
    }
  }
}

extension ChangeHub {
  /// Has followers of an account give way until there is room for one more: of the token that has
  /// most of them, the one that came first.
  ///
  /// The new one is not refused instead: an `EventSource` that is refused never comes back (WHATWG
  /// HTML §9.2.3), and the old ones are often those of a device that lost its connection and came
  /// again. A stream that gives way ends, and a request that waits is answered as if its time were
  /// over. Both clients go on from their cursors.
  func makeRoom(in account: Account.ID) {
    while let room = rooms[account], room.members.count + room.waiters.count >= maximumFollowers {
      let followers =
        room.members.map { ($0.key, $0.value.caller.token.id) }
        + room.waiters.map { ($0.key, $0.value.caller.token.id) }
      let byToken = Dictionary(grouping: followers, by: \.1).values
      let (most, first) = byToken.map { ($0.count, -($0.map(\.0).min() ?? 0)) }.max(by: <) ?? (0, 0)
      guard most > 0 else { return }
      if let member = room.members.removeValue(forKey: -first) {
        member.stream.end()
      } else {
        wake(-first, in: account, .timeout)
      }
    }
  }
}
