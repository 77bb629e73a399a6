import GoalsCore

/// The way of one round of requests after the other, from the backlog to the disk.
///
/// `@unchecked Sendable` because one at a time touches it: the queue of its recorder while that
/// reads or records, else the writer's. At any time the writer's queue looks at `accounts`, `count`
/// and `isLooking`, which are changed there alone, and not while the recorder is at work.
final class Lane: @unchecked Sendable {
  let recorder: any Recorder
  var writer: Writer
  /// How long the last transaction took to be durable, or why it is not.
  var persisted: Result<Duration, StoreError> = .success(.zero)
  /// The requests of the round, by tickets; nil for what was answered.
  var round: [WaitingBatch?] = []
  /// Whose accounts they are; empty while no round is on its way.
  var accounts: Set<Account.ID> = []
  /// How many rounds it has had.
  var count = 0
  /// Whether its round waits for no row: it is of one account, whose row was held.
  var isLooking = false
  /// The accounts whose rows another transaction held when the round was recorded.
  var held: Set<Account.ID> = []
  /// Their states, as they are published.
  var states: [Account.ID: Published] = [:]

  init(_ recorder: any Recorder, isLogShared: Bool) {
    self.recorder = recorder
    writer = Writer(isLogShared: isLogShared)
  }
}
