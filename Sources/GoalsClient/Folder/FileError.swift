import Foundation

/// A call of the system about a file that failed.
public struct FileError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What was tried, as a verb: `write`.
  public let action: String
  /// The file or folder that it was tried on.
  public let path: String
  /// The system's number of what went wrong (errno(3)).
  public let errno: Int32
  /// Whether the change may be kept all the same.
  public private(set) var isUncertain = false

  /// The end of a sentence: `can't write …: No space left on device`.
  public var description: String { "can't \(action) \(path): \(String(cString: strerror(errno)))" }

  /// The same, of a change that may be kept all the same.
  var uncertain: FileError {
    var error = self
    error.isUncertain = true
    return error
  }

  /// The failure of the call that was made last.
  static func last(_ action: String, _ path: String) -> FileError {
    FileError(action: action, path: path, errno: Foundation.errno)
  }
}
