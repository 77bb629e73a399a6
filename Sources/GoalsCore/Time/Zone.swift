/// A time zone: the offset of its clocks from UTC at every instant, past and future.
///
/// It is a value, one reference wide, read once from the bytes of a TZif file. Two zones are equal
/// where their names and their tables are equal.
public struct Zone: Hashable, Sendable {
  private let content: Content

  /// UTC, whose clocks never change.
  public static let utc = Zone(name: .utc, table: ZoneTable(changes: [], offsets: [0], rule: nil))

  /// The largest file that is read. The largest file of the IANA database has 3.6 kB.
  public static let maximumSize = 65_536

  /// Reads the bytes of a TZif file (RFC 9636, and RFC 8536 before it), version 1 to 4.
  ///
  /// From the last change that the file lists, the rule in its footer holds; without a rule the
  /// last offset stays. A file that counts leap seconds (`right/…`) is refused. Abbreviations and
  /// the marks of daylight saving time only name times, so the zone does not keep them.
  public init(name: ZoneName, tzif bytes: [UInt8]) throws(ZoneError) {
    guard bytes.count <= Zone.maximumSize else { throw .tooLarge }
    var reader = TZifReader(bytes)
    self.init(name: name, table: try reader.table().extended())
  }

  public var name: ZoneName { content.name }

  /// Seconds east of UTC that the zone's clocks show at this instant.
  public func offset(at instant: Instant) -> Int32 {
    content.table.offset(at: instant.seconds)
  }

  public static func == (left: Zone, right: Zone) -> Bool {
    left.content === right.content
      || left.content.name == right.content.name && left.content.table == right.content.table
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(content.name)
  }

  /// The span that holds this second. A neighbouring span may have the same offset.
  func span(at second: Int64) -> ZoneSpan {
    content.table.span(at: second)
  }

  /// False where no jump of the clocks is wide enough to skip a day: a day start leaves at least
  /// the time from noon to midnight of a date.
  var mayLackDays: Bool { content.mayLackDays }

  private init(name: ZoneName, table: ZoneTable) {
    content = Content(name: name, table: table)
  }

  private final class Content: Sendable {
    let name: ZoneName
    let table: ZoneTable
    let mayLackDays: Bool

    init(name: ZoneName, table: ZoneTable) {
      self.name = name
      self.table = table
      mayLackDays = table.widestJump >= 12 * 3600
    }
  }
}
