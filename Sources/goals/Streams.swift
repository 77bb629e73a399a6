import Glibc

/// Results.
enum StandardOutput {
  /// Throws where it is closed or full: a result that nobody got is a failure.
  static func write(_ text: String) throws {
    guard writeAll(text, to: STDOUT_FILENO) else {
      throw CommandFailure("What was done can't be told: standard output can't be written.")
    }
  }
}

/// Everything else.
enum StandardError {
  static func write(_ text: String) { _ = writeAll(text, to: STDERR_FILENO) }
}

private func writeAll(_ text: String, to descriptor: Int32) -> Bool {
  var rest = Array(text.utf8)[...]
  while !rest.isEmpty {
    let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
    if count < 0, errno == EINTR { continue }
    guard count > 0 else { return false }
    rest = rest.dropFirst(count)
  }
  return true
}
