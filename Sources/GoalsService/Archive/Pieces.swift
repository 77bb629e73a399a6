import GoalsStore

/// A long text that is made piece by piece, so that none of any size is ever held whole.
package struct Pieces: Sendable {
  /// The next piece; nil after the last. It is asked for one at a time, and may read the disk.
  package let next: @Sendable () throws -> [UInt8]?
  /// Makes pieces on a queue on which nobody else waits.
  let perform: @Sendable (@escaping @Sendable () -> Void) -> Void
  private let world: World

  init(
    in world: World, madeBy perform: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void,
    _ next: @escaping @Sendable () throws -> [UInt8]?
  ) {
    self.world = world
    self.perform = perform
    self.next = next
  }

  /// The next piece, or nil after the last; a failure of the store is tracked.
  func make() -> Result<[UInt8]?, Failure> {
    world.catching(next)
  }
}
