#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// Results.
package enum StandardOutput {
  /// Writes a text. Throws where it is closed or full: a result that nobody got is a failure.
  package static func write(_ text: String) throws(CommandFailure) { try write(Array(text.utf8)) }

  /// Writes bytes. Throws where it is closed or full.
  package static func write(_ bytes: [UInt8]) throws(CommandFailure) {
    guard !writeAll(bytes, to: STDOUT_FILENO) else { return }
    let error = errno
    throw CommandFailure(
      "Standard output can't be written: \(String(cString: strerror(error))).",
      isQuiet: error == EPIPE)
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

/// A command that was not carried out: one clear line, and an exit code.
package struct CommandFailure: Error {
  package let sentence: String
  /// Whether there is nothing to say: the reader of the output has gone, as `head` does.
  package let isQuiet: Bool
  /// 64 where the arguments make no sense (sysexits.h), as the library that reads them has it.
  package let code: Int32

  package init(_ sentence: String, isQuiet: Bool = false, code: Int32 = 1) {
    self.sentence = sentence
    self.code = code
    self.isQuiet = isQuiet
  }

  /// Says it on standard error.
  package func tell() {
    guard !isQuiet else { return }
    let line = sentence.split(whereSeparator: \.isNewline).joined(separator: " ")
    StandardError.write("goals: \(line)\n")
  }
}
