import ChangePropagation
import Dispatch
import Foundation
import GoalsCore
import GoalsReplica
import Synchronization

/// Which of the clients of a folder speaks with the server.
extension GoalsClient {
  /// How often a client that does not lead looks whether it may, and what the leader has written:
  /// every quarter of a second.
  private static let look = Duration.milliseconds(250)

  /// Leads if nobody does, and shows what is kept.
  func open() throws(FileError) {
    if try mayLead() { return }
    try reopen()
    lookAgain()
  }

  /// Tries to lead. A leader hears other processes before it looks into the inbox, so that no
  /// knock is missed, and takes nothing from there before it has read what is kept.
  private func lead() throws(FileError) -> Bool {
    let result = network.sync {
      Result { () throws(FileError) in
        guard try folder.lead() else { return false }
        do throws(FileError) {
          let ear = try folder.listen(on: network.queue) { [weak self] in self?.adopt() }
          shell.withLock { $0.ear = ear }
          try reopen()
        } catch {
          shell.withLock { $0.ear }?.cancel()
          folder.close()
          throw error
        }
        return true
      }
    }
    return try result.get()
  }

  /// The same, but for a folder that may not be written: there nobody leads, and what is kept is
  /// shown. `fault` says why.
  private func mayLead() throws(FileError) -> Bool {
    do throws(FileError) {
      return try lead()
    } catch {
      guard [EROFS, EACCES, EPERM].contains(error.errno) else { throw error }
      shell.withLock { $0.fault = error }
      return false
    }
  }

  /// Begins the replica anew with what is kept.
  func reopen() throws(FileError) {
    let stamps = folder.stamps
    // The inbox is read first: a change that leaves it meanwhile is in the journal.
    let inbox = (try? folder.inbox()) ?? []
    let found = try folder.load()
    let clockOffset = folder.clockOffset(of: world.clockSetting())
    let isSignedIn = shell.withLock { shell in
      shell.stamps = stamps
      shell.clockOffset = clockOffset
      shell.life += 1
      return shell.isSignedIn
    }
    network.sync {
      link.unfollow()
      happenings.announce(
        .opened(
          found, inbox: inbox, clockOffset: clockOffset, isSignedIn: folder.leads && isSignedIn))
    }
  }

  /// Makes the edits that other processes left.
  private func adopt() {
    guard let inbox = try? folder.inbox() else { return }
    happenings.announce(.adopted(inbox))
  }

  private func lookAgain() {
    world.after(Self.look, network.queue) { [weak self] in self?.lookAtLeader() }
  }

  private func lookAtLeader() {
    guard !shell.withLock(\.isClosed) else { return }
    do throws(FileError) {
      if try mayLead() { return }
      if folder.stamps != shell.withLock(\.stamps) { try reopen() }
    } catch {
      // The disk may do better the next time.
    }
    lookAgain()
  }
}

/// Calls back at a time. A new order takes the place of the one before it.
final class Alarm: Sendable {
  private let queue: DispatchQueue
  private let world: ClientWorld
  private let orders = Mutex(0)

  /// The alarm looks at the clock at least once an hour: somebody may set the clock, and the device
  /// may sleep.
  private static let longest: Int64 = 3_600_000

  init(on queue: DispatchQueue, of world: ClientWorld) {
    self.queue = queue
    self.world = world
  }

  /// Calls back at this instant, and not before. Nil: not at all.
  func set(_ until: Instant?, _ body: @escaping @Sendable () -> Void) {
    let order = orders.withLock { orders in
      orders += 1
      return orders
    }
    if let until { wait(until, order, body) }
  }

  private func wait(_ until: Instant, _ order: Int, _ body: @escaping @Sendable () -> Void) {
    let (left, overflow) = until.milliseconds.subtractingReportingOverflow(
      world.now().milliseconds)
    let pause = overflow ? Self.longest : min(max(left, 0), Self.longest)
    world.after(.milliseconds(pause), queue) { [weak self] in
      guard let self, self.orders.withLock({ $0 == order }) else { return }
      if self.world.now() >= until { return body() }
      self.wait(until, order, body)
    }
  }
}
