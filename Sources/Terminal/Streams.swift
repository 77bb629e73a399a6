#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// Results.
package enum StandardOutput {
  /// Throws where it is closed or full: a result that nobody got is a failure.
  package static func write(_ text: String) throws { try write(Array(text.utf8)) }

  /// As above.
  package static func write(_ bytes: [UInt8]) throws {
    guard writeAll(bytes, to: STDOUT_FILENO) else {
      throw CommandFailure("What was done can't be told: standard output can't be written.")
    }
  }
}

/// Everything else.
package enum StandardError {
  package static func write(_ text: String) { _ = writeAll(Array(text.utf8), to: STDERR_FILENO) }
}

private func writeAll(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
  var rest = bytes[...]
  while !rest.isEmpty {
    let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
    if count < 0, errno == EINTR { continue }
    guard count > 0 else { return false }
    rest = rest.dropFirst(count)
  }
  return true
}

/// A command that was not carried out: one clear line, and exit code 1.
package struct CommandFailure: Error {
  package let sentence: String

  package init(_ sentence: String) { self.sentence = sentence }
}
