import Synchronization

/// A stream within its network: its listeners, and the sources that it keeps alive.
///
/// References point upstream. A node holds its sources. The `Changes`, `Outlet` or `Changing` in
/// front of a node holds the node; its source never does.
final class Node<Value: Sendable>: Settling {
  let network: ChangeNetwork
  /// The largest number of `combine`s on a way to this node.
  let rank: Int

  private let sources: [any Sendable]
  private let refresh: (@Sendable () -> Value)?
  private let isStale = Atomic(false)
  private let listeners = Mutex(Listeners<Value>())

  /// `refresh` is for a node that settles: it computes the value to tell.
  init(
    on network: ChangeNetwork, rank: Int = 0, keeping sources: [any Sendable] = [],
    refresh: (@Sendable () -> Value)? = nil
  ) {
    self.network = network
    self.rank = rank
    self.sources = sources
    self.refresh = refresh
  }

  /// Calls `observer` for every change that this node begins to tell from now on, as long as
  /// `context` lives.
  func listen<Context: AnyObject & Sendable>(
    withContext context: Context, _ observer: @escaping @Sendable (Context, Value) -> Void
  ) -> ObservationHandle {
    let observation = ObservationHandle(of: context, on: network)
    let listener = Listener<Value>(observation: observation) { [weak context] change in
      guard let context else { return false }
      observer(context, change)
      return true
    }
    let forgotten = listeners.withLock { $0.add(listener) }
    _ = consume forgotten
    return observation
  }

  /// Calls the listeners in the order in which they were added. Call this during a turn.
  ///
  /// A listener that is added meanwhile hears the next change.
  func tell(_ change: Value) {
    let audience = listeners.withLock { $0.all }
    var someoneLeft = false
    for listener in audience where !listener.hear(change) { someoneLeft = true }
    if someoneLeft {
      let forgotten = listeners.withLock { $0.forgetThoseWhoLeft() }
      _ = consume forgotten
    }
  }

  /// The number of listeners, with those not yet found to have left.
  var listenerCount: Int { listeners.withLock { $0.all.count } }

  /// Notes that a source has changed. The node settles before the turn ends, once for all sources.
  func sourceChanged() {
    if !isStale.exchange(true, ordering: .relaxed) { network.settleLater(self) }
  }

  func settle() {
    isStale.store(false, ordering: .relaxed)
    if let refresh { tell(refresh()) }
  }
}

/// An observer with its observation.
struct Listener<Value: Sendable>: Sendable {
  let observation: ObservationHandle
  /// Calls the observer; returns false where its context is gone.
  let call: @Sendable (Value) -> Bool

  /// Calls the observer unless its observation is muted; returns false where its context is gone.
  func hear(_ change: Value) -> Bool {
    observation.isMuted ? !observation.hasEnded : call(change)
  }
}

/// The listeners of a node, in the order in which they were added.
private struct Listeners<Value: Sendable>: Sendable {
  private(set) var all: [Listener<Value>] = []
  private var sweepAt = 16

  /// Adds a listener. Returns the former list where this looked for listeners to forget, else an
  /// empty one.
  ///
  /// A stream with few announcements would collect observers whose context is gone. So this looks
  /// for them whenever the list is twice as long as after the last look.
  mutating func add(_ listener: Listener<Value>) -> [Listener<Value>] {
    var forgotten: [Listener<Value>] = []
    if all.count >= sweepAt {
      forgotten = forgetThoseWhoLeft()
      sweepAt = max(16, all.count * 2)
    }
    all.append(listener)
    return forgotten
  }

  /// Forgets the listeners whose context is gone. Returns the former list, so that the forgotten
  /// ones are released outside the lock.
  mutating func forgetThoseWhoLeft() -> [Listener<Value>] {
    let before = all
    all.removeAll { $0.observation.hasEnded }
    return before
  }
}
