import Synchronization

/// What `observe` answers: one observer's observation of a stream or of a changing value.
///
/// It lasts as long as its context, which it holds weakly. There is no need to keep it; keep it to
/// disable it for a while.
public final class Observation: Sendable {
  private let network: Network
  private weak let context: (any AnyObject & Sendable)?
  private let mutings = Atomic(0)

  init(of context: any AnyObject & Sendable, on network: Network) {
    self.context = context
    self.network = network
  }

  /// Runs `body`, on the queue of the network, and keeps from the observer what `body` announces.
  ///
  /// This is for one who announces a change that it has made itself already. It concerns the
  /// announcements that `body` makes on the network, also those that can be delivered only after it
  /// (see ``Network``), and what comes of them through derived streams. What other observers
  /// announce in answer, the observer does hear, and other observers hear everything. What it has
  /// missed is not told later.
  ///
  /// Calls may be nested. A caller elsewhere waits for the queue, as with ``Network/sync(_:)``.
  public func disable<Result>(in body: () throws -> Result) rethrows -> Result {
    try network.sync { try network.muting(self, in: body) }
  }

  /// Whether the context is gone.
  var hasEnded: Bool { context == nil }

  var isMuted: Bool { mutings.load(ordering: .relaxed) > 0 }

  func mute() { mutings.wrappingAdd(1, ordering: .relaxed) }

  func unmute() { mutings.wrappingSubtract(1, ordering: .relaxed) }
}
