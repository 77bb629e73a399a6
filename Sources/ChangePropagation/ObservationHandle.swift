import Synchronization

/// The result of `observe`: one observer's observation of a stream or of a changing value.
///
/// It lasts as long as its context, which it holds weakly. Callers need not keep it, except to
/// disable it for a while.
public final class ObservationHandle: Sendable {
  private let network: ChangeNetwork
  private weak let context: (any AnyObject & Sendable)?
  private let mutings = Atomic(0)

  init(of context: any AnyObject & Sendable, on network: ChangeNetwork) {
    self.context = context
    self.network = network
  }

  /// Runs `body` on the queue of the network, and keeps the announcements of `body` from the
  /// observer.
  ///
  /// This is for an observer that announces a change after making it itself. It concerns the
  /// announcements that `body` makes on the network, also those that are delivered only after
  /// `body` (see ``ChangeNetwork``), and the changes of derived streams that follow from them. The
  /// observer does hear what other observers announce in answer, and other observers hear
  /// everything. The observer is not told later what it missed.
  ///
  /// Calls may be nested. A caller elsewhere waits for the queue, as with
  /// ``ChangeNetwork/sync(_:)``.
  public func disable<Result>(in body: () throws -> Result) rethrows -> Result {
    try network.sync { try network.muting(self, in: body) }
  }

  /// Whether the context is gone.
  var hasEnded: Bool { context == nil }

  var isMuted: Bool { mutings.load(ordering: .relaxed) > 0 }

  func mute() { mutings.wrappingAdd(1, ordering: .relaxed) }

  func unmute() { mutings.wrappingSubtract(1, ordering: .relaxed) }
}
