import Glibc

/// A system call that failed.
package struct SystemError: Error, CustomStringConvertible {
  let call: String
  let code: Int32

  /// By the calling thread's `errno`.
  static func last(_ call: String) -> SystemError {
    SystemError(call: call, code: errno)
  }

  package var description: String { "\(call): \(String(cString: strerror(code)))" }
}
