import Synchronization

/// A stream within its network: those who listen to it, and the sources that it keeps alive.
///
/// References point upstream: a node holds its sources, and is held by whoever was handed the
/// `Changes`, `Outlet` or `Changing` in front of it, never by its source.
final class Node<Value: Sendable>: Settling {
  let network: Network
  /// How many `combine`s there are at most on a way to this node.
  let rank: Int

  private let sources: [any Sendable]
  private let refresh: (@Sendable () -> Value)?
  private let isStale = Atomic(false)
  private let listeners = Mutex(Listeners<Value>())

  /// `refresh` is for a node that settles: it computes the value to be told.
  init(
    on network: Network, rank: Int = 0, keeping sources: [any Sendable] = [],
    refresh: (@Sendable () -> Value)? = nil
  ) {
    self.network = network
    self.rank = rank
    self.sources = sources
    self.refresh = refresh
  }

  /// Has `observer` called for every change that this node begins to tell from now on, as long as
  /// `context` lives.
  func listen<Context: AnyObject & Sendable>(
    withContext context: Context, _ observer: @escaping @Sendable (Context, Value) -> Void
  ) -> Observation {
    let observation = Observation(of: context, on: network)
    let listener = Listener<Value>(observation: observation) { [weak context] change in
      guard let context else { return false }
      observer(context, change)
      return true
    }
    let forgotten = listeners.withLock { $0.add(listener) }
    _ = consume forgotten
    return observation
  }

  /// Calls those who listen, in the order in which they came. To be called during a turn.
  ///
  /// The list is that of the beginning: who comes while it is walked hears the next change.
  func tell(_ change: Value) {
    let audience = listeners.withLock { $0.all }
    var someoneLeft = false
    for listener in audience where !listener.hear(change) { someoneLeft = true }
    if someoneLeft {
      let forgotten = listeners.withLock { $0.forgetThoseWhoLeft() }
      _ = consume forgotten
    }
  }

  /// How many observers are remembered, those not yet found to have left included.
  var listenerCount: Int { listeners.withLock { $0.all.count } }

  /// Notes that a source has changed: the node settles before the turn ends, once for all sources.
  func sourceChanged() {
    if !isStale.exchange(true, ordering: .relaxed) { network.settleLater(self) }
  }

  func settle() {
    isStale.store(false, ordering: .relaxed)
    if let refresh { tell(refresh()) }
  }
}

/// An observer together with its observation.
struct Listener<Value: Sendable>: Sendable {
  let observation: Observation
  /// Calls the observer; false when its context is gone.
  let call: @Sendable (Value) -> Bool

  /// Calls the observer unless it is muted; false when its context is gone.
  func hear(_ change: Value) -> Bool {
    observation.isMuted ? !observation.hasEnded : call(change)
  }
}

/// Those who listen to a node, in the order in which they came.
private struct Listeners<Value: Sendable>: Sendable {
  private(set) var all: [Listener<Value>] = []
  private var sweepAt = 16

  /// Adds a listener, and answers those that it forgot on the occasion.
  ///
  /// So that a stream that is seldom announced on does not collect observers of lost contexts, they
  /// are looked for whenever there are twice as many as were left the last time.
  mutating func add(_ listener: Listener<Value>) -> [Listener<Value>] {
    var forgotten: [Listener<Value>] = []
    if all.count >= sweepAt {
      forgotten = forgetThoseWhoLeft()
      sweepAt = max(16, all.count * 2)
    }
    all.append(listener)
    return forgotten
  }

  /// Answers those forgotten, so that what they hold is released outside the lock.
  mutating func forgetThoseWhoLeft() -> [Listener<Value>] {
    let before = all
    all.removeAll { $0.observation.hasEnded }
    return before
  }
}
