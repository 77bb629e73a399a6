import Synchronization

/// A value that changes over time. `accumulate` makes one from a stream.
///
/// It always has a ``current`` value. It tells each new observer the current value, and then every
/// value that it takes, also one that equals the value before.
public final class Changing<Value: Sendable>: ChangeStream {
  private let node: Node<Value>
  private let cell: Cell<Value>

  init(_ node: Node<Value>, _ cell: Cell<Value>) {
    self.node = node
    self.cell = cell
  }

  /// The present value. It may be read from anywhere, and reading it does not wait for the queue.
  /// Announcements that the queue has yet to deliver are not in it (see
  /// ``ChangeNetwork/settle()``).
  ///
  /// During a turn it is the value before the turn, until the turn reaches it.
  public var current: Value { cell.current }

  /// The stream of the values to come.
  public var outlet: Outlet<Value> { Outlet(node) }

  /// Calls `observer` with the current value, before `observe` returns, and then with each later
  /// value. It leaves out no value between the two. See ``ChangeStream``.
  @discardableResult
  public func observe<Context: AnyObject & Sendable>(
    withContext context: Context, _ observer: @escaping @Sendable (Context, Value) -> Void
  ) -> ObservationHandle {
    node.network.sync {
      let observation = node.listen(withContext: context, observer)
      // A turn, so that the observer's announcements come after this call and not within it.
      node.network.turn { observer(context, cell.current) }
      return observation
    }
  }
}

// MARK: - Derived values

extension Changing {
  /// The transformed value. It is computed once for each value that this one takes.
  ///
  /// It keeps its source alive, and ceases when nobody holds it or anything derived from it.
  public func map<Mapped: Sendable>(
    _ transform: @escaping @Sendable (Value) -> Mapped
  ) -> Changing<Mapped> {
    network.sync {
      let mapped = Cell(transform(current))
      let node = Node<Mapped>(derivedFrom: node)
      outlet.observe(withContext: node) { node, value in
        node.tell(mapped.become(transform(value)))
      }
      return Changing<Mapped>(node, mapped)
    }
  }

  /// The value computed from this one and `other`, which must be on the same network.
  ///
  /// It is computed once in each turn in which one or both take values, however many, after both
  /// have their last value of that turn. So it never shows a new value beside one that the same
  /// turn is about to replace: it is free of glitches.
  public func combine<Other: Sendable, Combined: Sendable>(
    _ other: Changing<Other>, _ function: @escaping @Sendable (Value, Other) -> Combined
  ) -> Changing<Combined> {
    network.requireSame(as: other.network)
    return network.sync {
      let combined = Cell(function(current, other.current))
      let node = Node<Combined>(
        on: network, rank: max(node.rank, other.node.rank) + 1, keeping: [node, other.node]
      ) { [cell, other = other.cell] in
        combined.become(function(cell.current, other.current))
      }
      outlet.observe(withContext: node) { node, _ in node.sourceChanged() }
      other.outlet.observe(withContext: node) { node, _ in node.sourceChanged() }
      return Changing<Combined>(node, combined)
    }
  }
}

/// The present value of a `Changing`. It is written on the queue of the network and read anywhere.
final class Cell<Value: Sendable>: Sendable {
  private let value: Mutex<Value>

  init(_ value: Value) {
    self.value = Mutex(value)
  }

  var current: Value { value.withLock { $0 } }

  /// Sets the value to `new`, and returns `new`. Releases the old value outside the lock.
  func become(_ new: Value) -> Value {
    let old = value.withLock { value in
      defer { value = new }
      return value
    }
    _ = consume old
    return new
  }

  /// Changes the value in place, in the lock, and returns it.
  func alter(_ step: (inout Value) -> Void) -> Value {
    value.withLock { value in
      step(&value)
      return value
    }
  }
}
