extension ConnectionState {
  /// What it is about.
  enum Phase {
    case reading
    /// The owner was asked for an admission or a refusal, which it gives at once.
    case deciding
    case answering
    case streaming
    case sending(thenCloses: Bool)
    /// All was said; what the client still sends is dropped (RFC 9112 §9.6).
    case lingering(bytes: Int)
    case closed
  }

  /// How many bytes it should be given at once: of heads, for which nobody waits while an answer is sent,
  /// less than of a body.
  var appetite: Int { head != nil || isLingering ? 65_536 : 16_384 }
}
