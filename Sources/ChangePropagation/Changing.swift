import Synchronization

/// A value that changes over time. `accumulate` makes one of a stream.
///
/// It always has a ``current`` value, and tells it to each new observer, then every value it takes,
/// also one that equals the value before.
public final class Changing<Value: Sendable>: Observable {
  private let node: Node<Value>
  private let cell: Cell<Value>

  init(_ node: Node<Value>, _ cell: Cell<Value>) {
    self.node = node
    self.cell = cell
  }

  /// The value as of now. It may be read from anywhere and does not wait for the queue;
  /// announcements that the queue has yet to deliver are not in it (see ``Network/settle()``).
  ///
  /// In the midst of a turn it is the value before the turn until the turn has come this far.
  public var current: Value { cell.current }

  /// The stream of the values to come.
  public var outlet: Outlet<Value> { Outlet(node) }

  /// Has `observer` called with the current value, before `observe` returns, and then with each
  /// value to come; no value between the two is left out. See ``Observable``.
  @discardableResult
  public func observe<Context: AnyObject & Sendable>(
    withContext context: Context, _ observer: @escaping @Sendable (Context, Value) -> Void
  ) -> Observation {
    node.network.sync {
      let observation = node.listen(withContext: context, observer)
      // A turn, so that what the observer announces now comes after this call and not within it.
      node.network.turn { observer(context, cell.current) }
      return observation
    }
  }
}

// MARK: - Derived values

extension Changing {
  /// The value transformed. It is computed once for each value that this one takes.
  ///
  /// It lives as ``Observable/map(_:)`` says of streams.
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

  /// The value made of this one and `other`, which must live on the same network.
  ///
  /// It is computed once in each turn in which either takes a value (or both, or one of them
  /// several), when both have their last value of that turn. So it never shows a new value beside
  /// one that the same turn is about to replace: it is free of glitches.
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

  /// Takes `new`, and answers it. The value before is released outside the lock.
  func become(_ new: Value) -> Value {
    let old = value.withLock { value in
      defer { value = new }
      return value
    }
    _ = consume old
    return new
  }

  /// Alters the value in place, in the lock, and answers it.
  func alter(_ step: (inout Value) -> Void) -> Value {
    value.withLock { value in
      step(&value)
      return value
    }
  }
}
