import Dispatch

/// A thing that may be touched on one serial queue only.
///
/// `@unchecked Sendable` because `value` is private and every way to it goes through the queue.
final class Confined<Value>: @unchecked Sendable {
  private let queue: DispatchQueue
  private let value: Value

  init(_ value: consuming sending Value, to queue: DispatchQueue) {
    self.queue = queue
    self.value = value
  }

  /// Runs `body` with the thing on its queue, and waits for it. Not to be called on that queue.
  func with<Result, Failure: Error>(
    _ body: (Value) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let result = queue.sync { () -> Swift.Result<Result, Failure> in
      do throws(Failure) {
        return .success(try body(value))
      } catch {
        return .failure(error)
      }
    }
    return try result.get()
  }
}
