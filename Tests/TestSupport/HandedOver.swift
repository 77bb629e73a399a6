/// What a function is called back with. It goes through a lock: the thread sanitizer does not see
/// that a task which is resumed comes after the thread that resumes it.
package func handedOver<Value: Sendable>(
  _ body: (@escaping @Sendable (Value) -> Void) -> Void
) async -> Value {
  let value = Locked<Value?>(nil)
  await withCheckedContinuation { continuation in
    body { given in
      value.change { $0 = given }
      continuation.resume()
    }
  }
  guard let value = value.value else { preconditionFailure("resumed without a value") }
  return value
}
