/// Comes back once the condition holds. Between two looks others have the processor.
package func until(_ condition: () throws -> Bool) async rethrows {
  while try !condition() {
    // It fails once a time limit has ended the test, which waits no longer then.
    guard (try? await Task.sleep(for: .milliseconds(1))) != nil else { return }
  }
}
