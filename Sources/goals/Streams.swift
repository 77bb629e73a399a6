import Glibc

/// Results.
enum StandardOutput {
  static func write(_ text: String) { writeAll(text, to: STDOUT_FILENO) }
}

/// Everything else.
enum StandardError {
  static func write(_ text: String) { writeAll(text, to: STDERR_FILENO) }
}

private func writeAll(_ text: String, to descriptor: Int32) {
  var rest = Array(text.utf8)[...]
  while !rest.isEmpty {
    let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
    if count < 0, errno == EINTR { continue }
    guard count > 0 else { return }
    rest = rest.dropFirst(count)
  }
}
