import Dispatch
import Synchronization

/// The place where streams and changing values live: one serial queue, on which everything of the
/// network happens, one turn after the other.
///
/// A source is made on a network (`Changes(on:)`), and what is derived from it lives there too.
/// Observers, and the functions given to `map`, `filter`, `accumulate` and `combine`, are called on
/// the queue and nowhere else.
///
/// **Turns.** An announcement and all that follows from it within the network is a turn. Turns
/// never nest and never overlap: what is announced during a turn waits until that turn has reached
/// everyone, and is then delivered in the order of announcing. So all observers see all turns in
/// the same order.
///
/// All state has a lock besides the queue. The queue gives the order; the lock lets the compiler
/// prove that nothing here can be a data race, and `Changing.current` be read without the queue.
public final class Network: Sendable {
  /// The serial queue of the network.
  public let queue: DispatchQueue

  private let mark = DispatchSpecificKey<Bool>()
  private let turns = Mutex(Turns())

  /// Makes a network on `queue`, which must be serial: on a concurrent queue the order of turns
  /// would be lost.
  ///
  /// Without a queue the network gets one of its own. A queue that other work uses as well (that of
  /// the thing whose changes are announced, say) is fine: such work announces without a hop.
  public init(queue: DispatchQueue = DispatchQueue(label: "ChangePropagation.Network")) {
    self.queue = queue
    queue.setSpecific(key: mark, value: true)
  }

  deinit {
    queue.setSpecific(key: mark, value: nil)
  }

  /// Whether the caller runs on the queue of the network.
  public var isCurrent: Bool { DispatchQueue.getSpecific(key: mark) != nil }

  /// Runs `body` on the queue and answers what it answers: at once for a caller on the queue, else
  /// after the work that was handed to the queue before, for which the caller waits.
  ///
  /// What `body` announces is delivered before the announcement returns, so several announcements
  /// stay together, and nothing of other threads comes between them.
  ///
  /// NB: Never wait for a queue that may be waiting for the one you are on.
  public func sync<Result>(_ body: () throws -> Result) rethrows -> Result {
    if isCurrent { return try body() }
    return try queue.sync(execute: body)
  }

  /// Hands `body` to the queue and returns, also for a caller on the queue.
  public func async(_ body: @escaping @Sendable () -> Void) {
    queue.async(execute: body)
  }

  /// Returns when everything that was handed to the queue before has been delivered.
  ///
  /// A caller on the queue does not wait: in the midst of a turn, what was announced during it is
  /// still to be delivered when `settle` returns.
  public func settle() {
    sync {}
  }
}

// MARK: - Turns

extension Network {
  /// Delivers `change` to those who listen to `node`, as a turn of its own.
  ///
  /// On the queue and outside a turn it is delivered at once; during a turn, after those that wait
  /// already; for a caller elsewhere the queue does it later.
  func announce<Value>(_ change: Value, on node: Node<Value>) {
    guard isCurrent else {
      return queue.async { self.announce(change, on: node) }
    }
    if turns.withLock({ $0.isUnderWay }) {
      turns.withLock { $0.postpone { node.tell(change) } }
    } else {
      turn { node.tell(change) }
    }
  }

  /// Runs `deliver` as a turn, followed by the turns that come of it; during a turn, as a part of
  /// that turn. To be called on the queue.
  func turn(_ deliver: () -> Void) {
    guard let muted = turns.withLock({ $0.begin() }) else { return deliver() }
    perform(deliver, muted: muted)
    while let waiting = turns.withLock({ $0.next(elseRestoring: muted) }) {
      for turn in waiting { perform(turn.deliver, muted: turn.muted) }
    }
  }

  private func perform(_ deliver: () -> Void, muted: [Observation]) {
    for observation in muted { observation.mute() }
    deliver()
    while let stale = turns.withLock({ $0.takeStale() }) { stale.node?.settle() }
    for observation in muted { observation.unmute() }
  }

  /// Has `node` settle within the turn under way, after all of lower rank.
  func settleLater(_ node: any Settling) {
    turns.withLock { $0.insertStale(Stale(rank: node.rank, node: node)) }
  }

  /// Has what `body` itself announces pass by `observation`. To be called on the queue.
  func muting<Result>(_ observation: Observation, in body: () throws -> Result) rethrows -> Result {
    turns.withLock { $0.muting.append(observation) }
    defer { turns.withLock { _ = $0.muting.popLast() } }
    return try body()
  }
}

/// A node that has to wait for all of its sources before it can tell its value of a turn.
protocol Settling: AnyObject, Sendable {
  /// Above the rank of every node of this kind among the sources.
  var rank: Int { get }
  func settle()
}

/// A node waiting to be settled. It is held weakly: a stream dropped in the midst of a turn is
/// silent for the rest of it.
private struct Stale: Sendable {
  let rank: Int
  weak let node: (any Settling)?
}

/// A turn that waits for the one under way.
private struct Turn: Sendable {
  let deliver: @Sendable () -> Void
  let muted: [Observation]
}

/// The state of a network between two calls from outside it.
private struct Turns: Sendable {
  private(set) var isUnderWay = false
  private var waiting: [Turn] = []
  private var stale: [Stale] = []
  /// The observations past which announcements made now are to go.
  var muting: [Observation] = []

  /// Begins a turn, and answers the observations muted in it; `nil` when one is under way.
  mutating func begin() -> [Observation]? {
    guard !isUnderWay else { return nil }
    isUnderWay = true
    defer { muting = [] }
    return muting
  }

  mutating func postpone(_ deliver: @escaping @Sendable () -> Void) {
    waiting.append(Turn(deliver: deliver, muted: muting))
  }

  /// Takes the turns that wait; when there are none, the network comes to rest, and what was muted
  /// before the first turn is muted again.
  mutating func next(elseRestoring muted: [Observation]) -> [Turn]? {
    guard waiting.isEmpty else {
      defer { waiting = [] }
      return waiting
    }
    isUnderWay = false
    muting = muted
    return nil
  }

  /// Keeps `stale` in the order of rank, and in the order of insertion within a rank.
  mutating func insertStale(_ new: Stale) {
    let index = stale.lastIndex { $0.rank <= new.rank }.map { $0 + 1 } ?? 0
    stale.insert(new, at: index)
  }

  mutating func takeStale() -> Stale? {
    stale.isEmpty ? nil : stale.removeFirst()
  }
}
