import GoalsCore
import HTTPServer

extension ChangeHub {
  /// The streams and the waiting requests of one account.
  final class Room {
    final class Member {
      /// Which of the hub's streams it is.
      let number: Int
      var follower: Follower
      let caller: Caller
      let stream: ResponseStream
      /// When a page was written that it has yet to take, and how many bytes were announced since.
      var page = (writtenAt: Instant(milliseconds: 0), behind: 0)

      init(_ following: Following, _ stream: ResponseStream) {
        number = following.number
        follower = Follower(at: following.start.head.version)
        caller = following.caller
        self.stream = stream
      }
    }

    /// By their numbers.
    var members: [Int: Member] = [:] {
      didSet { sorted = nil }
    }
    var waiters: [Int: Waiter] = [:]
    /// The day when time was looked at last; nil where no stream wants to know.
    var today: Today?
    private var sorted: [Member]?

    /// The members in the order in which they came. Whoever has something for all of them goes by it: what
    /// the system and this process keep of them lies in memory in about that order, and ten thousand in any
    /// other cost a tenth more time.
    var inOrder: [Member] {
      if let sorted { return sorted }
      let sorted = members.values.sorted { $0.number < $1.number }
      self.sorted = sorted
      return sorted
    }
  }
}
