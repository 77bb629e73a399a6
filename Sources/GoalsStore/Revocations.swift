import GoalsCore

/// The tokens that were revoked lately: what came by them and waits for the writer is refused, so
/// that nothing is recorded by a token once its revocation is answered.
struct Revocations {
  /// How long one is remembered: longer than a request is on its way from the look at its token to
  /// the writer.
  private static let memory = Duration.seconds(600)

  private var instants: [TokenRecord.ID: Duration] = [:]
  /// With how many it is looked which may be forgotten.
  private var limit = 1000

  /// - Parameter now: the time since the system started.
  mutating func add(_ token: TokenRecord.ID, at now: Duration) {
    instants[token] = now
    guard instants.count > limit else { return }
    instants = instants.filter { now - $0.value < Self.memory }
    limit = max(1000, 2 * instants.count)
  }

  var isEmpty: Bool { instants.isEmpty }

  func include(_ token: TokenRecord.ID?) -> Bool {
    guard let token else { return false }
    return instants[token] != nil
  }
}
