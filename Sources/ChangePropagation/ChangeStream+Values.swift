// Streams and values for `for await`, in a task: they bring what the network tells out of its
// queue.

extension Changing {
  /// The current value, and then the values that it takes.
  ///
  /// A reader that is slow gets the latest value and misses those before it. The sequence lasts
  /// until its reader leaves it, and keeps this value alive so long.
  public var values: AsyncStream<Value> {
    sequence(of: self, keeping: .bufferingNewest(1))
  }
}

extension Outlet {
  /// The changes that are announced from now on: all of them, in order.
  ///
  /// Changes wait in memory until they are read, so a reader has to read on or to leave. The
  /// sequence keeps this stream alive so long.
  public var values: AsyncStream<Value> {
    sequence(of: self, keeping: .unbounded)
  }
}

private func sequence<Source: ChangeStream>(
  of source: Source, keeping policy: AsyncStream<Source.Value>.Continuation.BufferingPolicy
) -> AsyncStream<Source.Value> {
  AsyncStream(bufferingPolicy: policy) { continuation in
    let reader = Reader(source)
    // The sequence forgets this when its reader leaves, and with it the observer's context.
    continuation.onTermination = { _ in withExtendedLifetime(reader) {} }
    source.observe(withContext: reader) { _, value in continuation.yield(value) }
  }
}

/// The context of the observer behind a sequence.
private final class Reader<Source: Sendable>: Sendable {
  private let source: Source

  init(_ source: Source) { self.source = source }
}
