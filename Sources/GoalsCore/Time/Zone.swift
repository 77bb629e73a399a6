/// A time zone: the offset of its clocks from UTC at every instant, past and future.
///
/// It is a value, one reference wide, read once from the bytes of a TZif file. Two zones are equal
/// where their names and their tables are equal.
public struct Zone: Hashable, Sendable {
  private let content: Content

  /// UTC, whose clocks never change.
  public static let utc = Zone(
    name: .utc, table: ZoneTable(changes: [], offsets: [0], rule: nil), file: utcFile)

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
    self.init(name: name, table: try reader.table().extended(), file: bytes)
  }

  /// The name by which the zone was looked up.
  public var name: ZoneName { content.name }

  /// The TZif file that the zone was read from.
  public var file: [UInt8] { content.file }

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

  /// The numbers of the days among which one may be lacking; empty where none is. A month that
  /// begins outside of them is whole.
  ///
  /// Only a jump of the clocks by 12 hours or more can skip a day: a day start leaves at least the
  /// time from noon to midnight of a date.
  var lacking: Range<Int64> { content.lacking }

  /// The file of UTC (RFC 9636 §3): the same block twice, of one type of time without an offset,
  /// and a footer.
  private static var utcFile: [UInt8] {
    let counts: [UInt8] = [0, 0, 0, 0, 1, 4].flatMap { [0, 0, 0, $0] }
    let header = Array("TZif2".utf8) + [UInt8](repeating: 0, count: 15) + counts
    let block = header + [UInt8](repeating: 0, count: 6) + Array("UTC\0".utf8)
    return block + block + Array("\nUTC0\n".utf8)
  }

  private init(name: ZoneName, table: ZoneTable, file: [UInt8]) {
    content = Content(name: name, table: table, file: file)
  }

  private final class Content: Sendable {
    let name: ZoneName
    let table: ZoneTable
    let file: [UInt8]
    let lacking: Range<Int64>

    init(name: ZoneName, table: ZoneTable, file: [UInt8]) {
      self.name = name
      self.table = table
      self.file = file
      // A clock's date is at most two days from that of UTC, and a month has up to 31 days.
      let (first, last) = table.wideJumps
      let start = first.floored(by: 86_400) - 34
      lacking = start..<max(start, last.floored(by: 86_400) + 3)
    }
  }
}
