import GoalsCore
import GoalsWire
import JSON

/// The lines of an exported log (application/x-ndjson: a JSON text a line, each ended by a line
/// feed).
///
/// First the calendar over which the chain starts, then every recorded edit, oldest first, then a
/// line that says that it is whole and quotes the chain. The chain is made over the payloads'
/// bytes, so each edit is there exactly as it is recorded: its payload, and where that is not of
/// format 1, in `{"format":2,"edit":…}`.
package enum ExportLine {
  /// The format of the lines themselves.
  package static let format = 1
  /// How many bytes the last line has at most.
  package static let maximumLastLine = 256
  /// What the first line is known by.
  static let name = "goals"

  package static func first(_ calendar: CalendarSettings) -> [UInt8] {
    var json = JSONWriter()
    json.object { json in
      json.member("export", name)
      json.member("format", format)
      json.object("calendar") { json in calendar.writeMembers(to: &json) }
    }
    json.endLine()
    return json.bytes
  }

  package static func edits(_ entries: [LogEntry]) -> [UInt8] {
    var json = JSONWriter(reserving: entries.reduce(64) { $0 + $1.payload.count + 1 })
    for entry in entries {
      if entry.format == ChainMaker.payloadFormat {
        json.raw(entry.payload)
      } else {
        json.object { json in
          json.member("format", entry.format)
          json.member("edit") { json in json.raw(entry.payload) }
        }
      }
      json.endLine()
    }
    return json.bytes
  }

  package static func last(_ version: Version, _ chain: Chain) -> [UInt8] {
    var json = JSONWriter()
    json.object { json in
      json.member("whole", true)
      json.member("edits", version)
      json.member("chain", chain.hexadecimal)
    }
    json.endLine()
    return json.bytes
  }
}

extension Chain {
  /// All of it, as 64 digits.
  var hexadecimal: String {
    String(
      decoding: bytes.flatMap { byte in [byte >> 4, byte & 0xF].map(Self.digit) }, as: UTF8.self)
  }

  /// Reads what `hexadecimal` wrote; nil for anything else.
  init?(hexadecimal text: String) {
    let digits = text.utf8.compactMap { digit in (0..<16).first { Self.digit($0) == digit } }
    guard text.utf8.count == 64, digits.count == 64 else { return nil }
    self.init(bytes: stride(from: 0, to: 64, by: 2).map { digits[$0] << 4 | digits[$0 + 1] })
  }

  private static func digit(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
  }
}
