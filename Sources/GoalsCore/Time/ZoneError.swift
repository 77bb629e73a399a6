/// The reason why bytes are no time zone.
public enum ZoneError: Error, Hashable, Sendable, CustomStringConvertible {
  /// More bytes than `Zone.maximumSize`.
  case tooLarge
  /// The bytes do not begin as RFC 9636 §3.1 requires, or have a version that does not exist.
  case notTZif
  /// There are fewer bytes than their header announces.
  case truncated
  /// The header's counts contradict each other or RFC 9636 §3.1.
  case invalidCounts
  /// The file counts leap seconds. POSIX time does not count them, so an `Instant` does not.
  case leapSeconds
  /// An offset outside of −24:59:59 to +25:59:59 (RFC 9636 §3.2).
  case invalidOffset
  /// A change that is not after the one before it, or more than 2⁵⁹ seconds away from 1970.
  case invalidChange
  /// A change to a local time type that the file does not define.
  case invalidType
  /// A footer that is no POSIX TZ string with the extensions of RFC 9636 §3.3.1.
  case invalidRule

  public var description: String {
    switch self {
    case .tooLarge: "the file is too large for a time zone"
    case .notTZif: "the file is not in the TZif format"
    case .truncated: "the file ends too early"
    case .invalidCounts: "the counts in the file's header are wrong"
    case .leapSeconds: "the file counts leap seconds"
    case .invalidOffset: "an offset from UTC is out of range"
    case .invalidChange: "the times of change are out of order or out of range"
    case .invalidType: "a change leads to a local time that is not defined"
    case .invalidRule: "the rule for the future is wrong"
    }
  }
}
