import GoalsCore
import HTTPServer
import Synchronization

/// The connections of each account. A connection belongs to the account of its last request that
/// was let in. A connection that streams is not among them: it is counted as a stream.
final class Seats: Sendable {
  /// A connection of an account, as long as its visitor holds this.
  private final class Seat: HTTPServer.Seat {
    let account: Account.ID
    let use: Use
    private let seats: Seats
    /// Of the two numbers of an id the one that is drawn by lot.
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
    let last = Atomic(0)
    let dismiss: @Sendable () -> Void

    init(dismiss: @escaping @Sendable () -> Void) { self.dismiss = dismiss }

    var order: Int { last.load(ordering: .relaxed) }
  }

  private let maximum: Int
  private let requests = Atomic(0)
  private let taken = Mutex<[Account.ID: [ObjectIdentifier: Use]]>([:])

  /// - Parameter maximum: how many connections an account may have, at least 1.
  init(maximum: Int) { self.maximum = max(maximum, 1) }

  /// Notes that an account makes a request by a connection. Where the account has one connection
  /// too many, its least recently used one ends, so that a device that comes again always gets in.
  func seat(_ visitor: Visitor, of account: Account.ID) {
    let request = requests.wrappingAdd(1, ordering: .relaxed).newValue
    if let seat = visitor.seat as? Seat, seat.account == account {
      return seat.use.last.store(request, ordering: .relaxed)
    }
    let use = Use(dismiss: visitor.dismissal)
    use.last.store(request, ordering: .relaxed)
    // A seat with another account is left by this.
    visitor.seat = Seat(account, use, in: self)
    let oldest = taken.withLock { taken in
      var uses = taken.removeValue(forKey: account) ?? [:]
      let oldest = uses.count < maximum ? nil : uses.values.min { $0.order < $1.order }
      if let oldest { uses[ObjectIdentifier(oldest)] = nil }
      uses[ObjectIdentifier(use)] = use
      taken[account] = uses
      return oldest
    }
    oldest?.dismiss()
  }

  /// How many connections an account has.
  func count(of account: Account.ID) -> Int { taken.withLock { $0[account]?.count ?? 0 } }

  private func leave(_ account: Account.ID, _ use: Use) {
    taken.withLock { taken in
      taken[account]?[ObjectIdentifier(use)] = nil
      if taken[account]?.isEmpty ?? false { taken[account] = nil }
    }
  }
}
