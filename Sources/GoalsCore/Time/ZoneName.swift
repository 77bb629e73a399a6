/// The name of a time zone as the IANA database writes them, such as `Europe/Berlin`, `Etc/GMT+5`
/// or `UTC`.
///
/// It holds nothing that could lead out of a folder: letters, digits, `+`, `-`, `_`, and single
/// slashes between them, at most 64 bytes (the longest name in the database has 32). So it is safe
/// as a relative file path. A zone of this name need not exist.
public struct ZoneName: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// The name, such as `Europe/Berlin`.
  public let text: String

  /// UTC, which needs no zone database.
  public static var utc: ZoneName { ZoneName(unchecked: "UTC") }

  /// Nil for other characters, an empty part, more than 64 bytes, and for the files that tzdata
  /// packages keep beside the names of the database: `localtime`, `posixrules`, `leapseconds`, and
  /// everything in `posix` and `right`.
  public init?(_ text: String) {
    var length = 0
    var previous = UInt8(ascii: "/")
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"),
        UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "_"):
        break
      case UInt8(ascii: "/") where previous != UInt8(ascii: "/"):
        break
      // NB: open: a switch over numbers.
      default:
        return nil
      }
      length += 1
      guard length <= 64 else { return nil }
      previous = byte
    }
    guard previous != UInt8(ascii: "/"), text != "localtime", text != "posixrules",
      text != "leapseconds", !text.utf8.starts(with: "posix/".utf8),
      !text.utf8.starts(with: "right/".utf8)
    else { return nil }
    self.init(unchecked: text)
  }

  public var description: String { text }

  public static func < (left: ZoneName, right: ZoneName) -> Bool { left.text < right.text }

  private init(unchecked text: String) {
    self.text = text
  }
}
