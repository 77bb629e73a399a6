import GoalsCore
import HTTPServer
import Synchronization

/// The connections of each account. A connection belongs to the account of its last request that
/// was let in, and counts until it has ended and that request is answered. One that streams is not
/// among them: it is counted as a stream.
final class Seats: Sendable {
  /// A connection of an account, as long as its visitor or a request holds this.
  private final class Seat: HTTPServer.Seat {
    let account: Account.ID
    let use: Use
    private let seats: Seats
    /// The half of the id that is random.
    var holder: UInt64 { account.low }

    init(_ account: Account.ID, _ use: Use, in seats: Seats) {
      self.account = account
      self.use = use
      self.seats = seats
    }

    deinit { seats.leave(account, use) }
  }

  /// When a connection was used last, and how it ends.
  private final class Use: Sendable {
    /// By the count of all requests.
    let last: Atomic<Int>
    let dismiss: @Sendable () -> Void

    init(_ request: Int, dismiss: @escaping @Sendable () -> Void) {
      last = Atomic(request)
      self.dismiss = dismiss
    }

    var order: Int { last.load(ordering: .relaxed) }
  }

  /// The connections of an account.
  private struct Taken {
    var staying: [ObjectIdentifier: Use] = [:]
    /// Those that end as soon as their request is answered.
    var ending: Set<ObjectIdentifier> = []
  }

  /// How many connections of an account may be ending: some that are idle and were not looked at
  /// yet, and some whose requests take long.
  static let mostEnding = 64

  private let maximum: Int
  private let requests = Atomic(0)
  private let taken = Mutex<[Account.ID: Taken]>([:])

  /// - Parameter maximum: how many connections an account may have, at least 1.
  init(maximum: Int) { self.maximum = max(maximum, 1) }

  /// Notes that an account makes a request by a connection. Where the account has one connection
  /// too many, its least recently used one ends, so that a device that comes again gets in.
  ///
  /// Answers false where too many of them have yet to end: the account sends more than is answered.
  func seat(_ visitor: Visitor, of account: Account.ID) -> Bool {
    let request = requests.wrappingAdd(1, ordering: .relaxed).newValue
    if let seat = visitor.seat as? Seat, seat.account == account {
      seat.use.last.store(request, ordering: .relaxed)
      return true
    }
    let use = Use(request, dismiss: visitor.dismissal)
    var oldest: Use?
    let isSeated = taken.withLock { all in
      var taken = all.removeValue(forKey: account) ?? Taken()
      defer { all[account] = taken }
      if taken.staying.count >= maximum {
        guard taken.ending.count < Self.mostEnding else { return false }
        oldest = taken.staying.values.min { $0.order < $1.order }
        if let id = oldest.map(ObjectIdentifier.init) {
          taken.staying[id] = nil
          taken.ending.insert(id)
        }
      }
      taken.staying[ObjectIdentifier(use)] = use
      return true
    }
    guard isSeated else { return false }
    // A seat with another account is left by this.
    visitor.seat = Seat(account, use, in: self)
    oldest?.dismiss()
    return true
  }

  /// How many connections an account has.
  func count(of account: Account.ID) -> Int {
    taken.withLock { all in all[account].map { $0.staying.count + $0.ending.count } ?? 0 }
  }

  private func leave(_ account: Account.ID, _ use: Use) {
    let id = ObjectIdentifier(use)
    taken.withLock { all in
      guard var taken = all.removeValue(forKey: account) else { return }
      taken.staying[id] = nil
      taken.ending.remove(id)
      if !taken.staying.isEmpty || !taken.ending.isEmpty { all[account] = taken }
    }
  }
}
