import Dispatch
import Foundation
import GoalsCore
import GoalsStore

/// Runs `body` on so many threads of its own, whatever else waits for a thread, and answers what
/// it answers, in their order.
func onThreads<Value: Sendable>(
  _ count: Int, _ body: @escaping @Sendable (_ thread: Int) throws -> Value
) async throws -> [Value] {
  try await withThrowingTaskGroup(of: (Int, Value).self) { group in
    for thread in 0..<count {
      group.addTask {
        try await withCheckedThrowingContinuation { continuation in
          Thread.detachNewThread {
            continuation.resume(with: Result { (thread, try body(thread)) })
          }
        }
      }
    }
    return try await group.reduce(into: []) { $0.append($1) }.sorted { $0.0 < $1.0 }.map(\.1)
  }
}

/// Runs two things at once, each on a thread of its own.
func atOnce<First: Sendable, Second: Sendable>(
  _ first: @escaping @Sendable () throws -> First, _ second: @escaping @Sendable () throws -> Second
) async throws -> (First, Second) {
  async let one = onThreads(1) { _ in try first() }
  async let other = onThreads(1) { _ in try second() }
  return (try await one[0], try await other[0])
}

extension Store {
  /// As `send`, for a thread that may wait.
  func sendAndWait(_ batch: Batch, to account: UInt64 = 1) -> Answer? {
    let answered = DispatchSemaphore(value: 0)
    let answers = Collected<Answer>()
    submit(SentBatch(account: .number(account), batch: batch)) { answer in
      answers.append(answer)
      answered.signal()
    }
    answered.wait()
    return answers.all.first
  }
}
