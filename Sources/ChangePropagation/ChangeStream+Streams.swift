// Streams and values derived from a stream of changes. A derived stream is on the network of its
// source and keeps the source alive. It ceases when nobody holds it or anything derived from it. An
// observation does not hold it.
//
// Here a `Changing` counts as the stream of its values to come: the current one is not part of it.

extension ChangeStream {
  /// The stream of the changes, each of them transformed.
  public func map<Mapped: Sendable>(
    _ transform: @escaping @Sendable (Value) -> Mapped
  ) -> Outlet<Mapped> {
    let node = Node<Mapped>(derivedFrom: outlet.node)
    outlet.observe(withContext: node) { node, change in node.tell(transform(change)) }
    return Outlet(node)
  }

  /// The stream of the changes that satisfy `predicate`.
  public func filter(_ predicate: @escaping @Sendable (Value) -> Bool) -> Outlet<Value> {
    let node = Node<Value>(derivedFrom: outlet.node)
    outlet.observe(withContext: node) { node, change in
      if predicate(change) { node.tell(change) }
    }
    return Outlet(node)
  }

  /// The stream of the changes of both streams, in the order in which they are told.
  ///
  /// Where one announcement reaches both streams, the merged stream tells it twice, from the left
  /// and from the right, in the order in which the two ways were made. Both streams must be on the
  /// same network.
  public func merge<Right: ChangeStream>(_ right: Right) -> Outlet<Either<Value, Right.Value>> {
    typealias Merged = Either<Value, Right.Value>
    let node = Node<Merged>(derivedFrom: outlet.node, right.outlet.node)
    node.network.sync {
      outlet.observe(withContext: node) { node, change in node.tell(.left(change)) }
      right.outlet.observe(withContext: node) { node, change in node.tell(.right(change)) }
    }
    return Outlet(node)
  }

  /// The stream of the changes of both streams, for streams of the same values, in the order in
  /// which they are told. Both must be on the same network.
  public func merge<Right: ChangeStream>(_ right: Right) -> Outlet<Value>
  where Right.Value == Value {
    let node = Node<Value>(derivedFrom: outlet.node, right.outlet.node)
    node.network.sync {
      outlet.observe(withContext: node) { node, change in node.tell(change) }
      right.outlet.observe(withContext: node) { node, change in node.tell(change) }
    }
    return Outlet(node)
  }

  /// The value that starts as `initial`. Each change replaces it by the result of `step` on the
  /// change and the value so far.
  public func accumulate<Accumulated: Sendable>(
    startingFrom initial: Accumulated,
    _ step: @escaping @Sendable (_ change: Value, _ soFar: Accumulated) -> Accumulated
  ) -> Changing<Accumulated> {
    let cell = Cell(initial)
    let node = Node<Accumulated>(derivedFrom: outlet.node)
    outlet.observe(withContext: node) { node, change in
      node.tell(cell.become(step(change, cell.current)))
    }
    return Changing(node, cell)
  }

  /// The value that starts as `initial` and that each change alters in place. It is for large
  /// collections, which `accumulate(startingFrom:_:)` would copy at each step.
  ///
  /// While `step` runs, a reader of the `current` value waits; `step` itself must not read it. An
  /// observer that keeps a value makes the next step copy it.
  public func accumulate<Accumulated: Sendable>(
    into initial: Accumulated,
    _ step: @escaping @Sendable (_ soFar: inout Accumulated, _ change: Value) -> Void
  ) -> Changing<Accumulated> {
    let cell = Cell(initial)
    let node = Node<Accumulated>(derivedFrom: outlet.node)
    outlet.observe(withContext: node) { node, change in
      node.tell(cell.alter { step(&$0, change) })
    }
    return Changing(node, cell)
  }
}

extension Node {
  convenience init<Source>(derivedFrom source: Node<Source>) {
    self.init(on: source.network, rank: source.rank, keeping: [source])
  }

  convenience init<Left, Right>(derivedFrom left: Node<Left>, _ right: Node<Right>) {
    left.network.requireSame(as: right.network)
    self.init(on: left.network, rank: max(left.rank, right.rank), keeping: [left, right])
  }
}

extension ChangeNetwork {
  /// Two queues have no common order, so a stream on both would have no meaning. To bring changes
  /// to another network, observe them and announce them on an inlet there.
  func requireSame(as other: ChangeNetwork) {
    precondition(self === other, "Only streams of one network can be merged or combined.")
  }
}
