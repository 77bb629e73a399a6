import Dispatch

/// Where features do what takes time, so that nobody waits who serves others.
package struct Queues: Sendable {
  /// Reads that go to the disk.
  let reads: DispatchQueue
  /// What waits for the writer: administration and probes.
  let administration: DispatchQueue

  package init() {
    reads = DispatchQueue(label: "GoalsService.reads", attributes: .concurrent)
    administration = DispatchQueue(label: "GoalsService.administration")
  }
}
