import Dispatch
import GoalsCore
import GoalsStore
import Synchronization

/// The client for whom long work is done.
package struct Asker: Sendable {
  /// Tells, on any thread, whether the client still waits.
  let askIfWaiting: @Sendable (_ tell: @escaping @Sendable (Bool) -> Void) -> Void

  /// One that waits to the end.
  package static let patient = Asker { $0(true) }
}

/// Does work that takes long in portions: one at a time, so that it never takes more than one core,
/// or a few. Accounts take turns. Work that nobody waits for any more ends before its next portion.
package final class FairQueue: Sendable {
  /// How many steps are taken at once, where others wait: about 2 ms of a list.
  static let steps = 20_000
  /// How many steps are taken at once on the queue that serves everybody. A fold that needs no more
  /// waits for no other: a list of 20 goals, say, each with some edits or days that were not
  /// counted before.
  static let stepsHere = 2000

  private struct Work: Sendable {
    let asker: Asker
    /// Makes a portion, if it is still wanted, and answers whether it was the last.
    let goOn: @Sendable (_ isWanted: Bool) -> Bool
  }

  private let schedule: Mutex<FairSchedule<Work>>
  let queue: DispatchQueue

  /// - Parameters:
  ///   - queue: on which the work is done.
  ///   - width: how many accounts may have a portion made at the same time.
  init(_ queue: DispatchQueue, width: Int = 1) {
    self.queue = queue
    schedule = Mutex(FairSchedule(width: width))
  }

  /// Does work in portions, and tells its result: on the calling thread where the work is over with
  /// its first steps.
  ///
  /// - Parameters:
  ///   - startsHere: whether the first steps are taken on the calling thread.
  ///   - isOwed: whether it is done however much of the account waits.
  ///   - portion: takes about so many steps; nil where it is not over.
  func run<Value: Sendable>(
    of account: Account.ID, for asker: Asker, startsHere: Bool = false, isOwed: Bool = false,
    in world: World,
    _ portion: @escaping @Sendable (_ steps: Int) throws -> Value?,
    _ tell: @escaping Completion<Value>
  ) {
    let goOn = { @Sendable (steps: Int) -> Bool in
      switch world.catching({ try portion(steps) }) {
      case .success(nil): return false
      case .success(let value?): tell(.success(value))
      case .failure(let failure): tell(.failure(failure))
      }
      return true
    }
    if startsHere, goOn(Self.stepsHere) { return }
    let work = Work(asker: asker) { isWanted in
      if isWanted { return goOn(Self.steps) }
      tell(.failure(.abandoned))
      return true
    }
    guard schedule.withLock({ $0.add(work, of: account, isOwed: isOwed) }) else {
      return tell(.failure(.tooManyAtOnce))
    }
    proceed()
  }

  /// Does work in portions to its end, because it ends work that has begun.
  ///
  /// - Parameter portion: takes about so many steps, and answers whether it is over.
  func finish(
    of account: Account.ID, _ portion: @escaping @Sendable (_ steps: Int) -> Bool
  ) {
    let work = Work(asker: .patient) { _ in portion(Self.steps) }
    _ = schedule.withLock { $0.add(work, of: account, isOwed: true) }
    proceed()
  }

  private func proceed() {
    guard let (account, work) = schedule.withLock({ $0.begin() }) else { return }
    work.asker.askIfWaiting { isWaiting in
      self.queue.async {
        let isOver = work.goOn(isWaiting)
        self.schedule.withLock { $0.end(of: account, isOver: isOver) }
        self.proceed()
      }
    }
  }
}
