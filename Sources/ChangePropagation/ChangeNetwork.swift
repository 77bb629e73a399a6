import Dispatch
import Synchronization

/// The home of streams and changing values: one serial queue that runs everything of the network,
/// one turn after the other.
///
/// A source is made on a network (`Changes(on:)`), and everything derived from it is on that
/// network, too. Observers, and the functions given to `map`, `filter`, `accumulate` and `combine`,
/// are called on the queue and nowhere else.
///
/// **Turns.** A turn is an announcement and all that follows from it within the network. Turns
/// never nest and never overlap. An announcement made during a turn waits until that turn has
/// reached every observer. Waiting announcements are delivered in the order in which they were
/// made. So all observers see all turns in the same order.
///
/// All state has a lock besides the queue. The queue gives the order. The lock lets the compiler
/// prove that nothing here can be a data race, and lets `Changing.current` be read without the
/// queue.
public final class ChangeNetwork: Sendable {
  /// The serial queue of the network.
  public let queue: DispatchQueue

  private let mark = DispatchSpecificKey<Bool>()
  private let turns = Mutex(Turns())

  /// Makes a network on `queue`, which must be serial: on a concurrent queue the order of turns
  /// would be lost.
  ///
  /// Without a queue the network gets one of its own. Other work may use the queue, too, such as
  /// the work whose changes are announced; it announces without a hop.
  public init(queue: DispatchQueue = DispatchQueue(label: "ChangePropagation.network")) {
    self.queue = queue
    queue.setSpecific(key: mark, value: true)
  }

  deinit {
    queue.setSpecific(key: mark, value: nil)
  }

  /// Whether the caller runs on the queue of the network.
  public var isCurrent: Bool { DispatchQueue.getSpecific(key: mark) != nil }

  /// Runs `body` on the queue and returns its result. For a caller on the queue `body` runs at
  /// once. Any other caller waits until the queue has done the work that was handed to it before.
  ///
  /// Outside a turn, each announcement in `body` is delivered before it returns. So several
  /// announcements stay together, and no announcement of another thread comes between them.
  ///
  /// NB: Never wait for a queue that may be waiting for the one you are on.
  public func sync<Result>(_ body: () throws -> Result) rethrows -> Result {
    if isCurrent { return try body() }
    return try queue.sync(execute: body)
  }

  /// Hands `body` to the queue and returns at once, also for a caller on the queue.
  public func async(_ body: @escaping @Sendable () -> Void) {
    queue.async(execute: body)
  }

  /// Returns when everything that was handed to the queue before has been delivered.
  ///
  /// A caller on the queue does not wait. During a turn, the announcements of that turn are still
  /// to be delivered when `settle` returns.
  public func settle() {
    sync {}
  }
}

// MARK: - Turns

extension ChangeNetwork {
  /// Delivers `change` to the listeners of `node`, as a turn of its own.
  ///
  /// For a caller on the queue and outside a turn it is delivered at once; during a turn, after the
  /// changes that wait already. For a caller elsewhere the queue delivers it later.
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

  /// Runs `deliver` as a turn, followed by the turns that it causes. During a turn, `deliver` runs
  /// as a part of that turn. Call this on the queue.
  func turn(_ deliver: () -> Void) {
    guard let muted = turns.withLock({ $0.begin() }) else { return deliver() }
    perform(deliver, muted: muted)
    while let waiting = turns.withLock({ $0.next(elseRestoring: muted) }) {
      for turn in waiting { perform(turn.deliver, muted: turn.muted) }
    }
  }

  private func perform(_ deliver: () -> Void, muted: [ObservationHandle]) {
    for observation in muted { observation.mute() }
    deliver()
    while let stale = turns.withLock({ $0.takeStale() }) { stale.node?.settle() }
    for observation in muted { observation.unmute() }
  }

  /// Makes `node` settle within the present turn, after all nodes of lower rank.
  func settleLater(_ node: any Settling) {
    turns.withLock { $0.insertStale(Stale(rank: node.rank, node: node)) }
  }

  /// Keeps the announcements that `body` itself makes from `observation`. Call this on the queue.
  func muting<Result>(
    _ observation: ObservationHandle, in body: () throws -> Result
  ) rethrows -> Result {
    turns.withLock { $0.muting.append(observation) }
    defer { turns.withLock { _ = $0.muting.popLast() } }
    return try body()
  }
}

/// A node that has to wait for all of its sources before it can tell its value of a turn.
protocol Settling: AnyObject, Sendable {
  /// Higher than the rank of every settling node among the sources.
  var rank: Int { get }
  func settle()
}

/// A node that waits to settle. It is held weakly: a stream that is dropped during a turn is silent
/// for the rest of it.
private struct Stale: Sendable {
  let rank: Int
  weak let node: (any Settling)?
}

/// A turn that waits for the present one.
private struct Turn: Sendable {
  let deliver: @Sendable () -> Void
  let muted: [ObservationHandle]
}

/// The present turn of a network, and the turns that wait.
private struct Turns: Sendable {
  private(set) var isUnderWay = false
  private var waiting: [Turn] = []
  private var stale: [Stale] = []
  /// The observations that must not hear announcements made now.
  var muting: [ObservationHandle] = []

  /// Begins a turn, and returns the observations muted in it; nil where a turn is under way.
  mutating func begin() -> [ObservationHandle]? {
    guard !isUnderWay else { return nil }
    isUnderWay = true
    defer { muting = [] }
    return muting
  }

  mutating func postpone(_ deliver: @escaping @Sendable () -> Void) {
    waiting.append(Turn(deliver: deliver, muted: muting))
  }

  /// Takes the turns that wait. Where there are none, the network comes to rest, and the
  /// observations that were muted before the first turn are muted again.
  mutating func next(elseRestoring muted: [ObservationHandle]) -> [Turn]? {
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
