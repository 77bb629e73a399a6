import Glibc
import GoalsCore
import JSON
import Logging

/// Writes each line of the log as a JSON object, for programs that collect logs: `time` (RFC 3339,
/// UTC), `level`, `message`, and then what belongs to it: numbers as numbers, all else as strings.
struct JSONLogHandler: LogHandler {
  /// The time of a line.
  let now: @Sendable () -> Instant
  var logLevel: Logger.Level = .info
  var metadata: Logger.Metadata = [:]

  init(now: @escaping @Sendable () -> Instant) { self.now = now }

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) {
    let all = metadata.merging(event.metadata ?? [:]) { $1 }
    let line = line(event.level, event.message.description, all)
    // One write, so that lines of several threads do not mix.
    _ = line.withUnsafeBytes { Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
  }

  /// A line as it is written, with its end.
  func line(_ level: Logger.Level, _ message: String, _ metadata: Logger.Metadata = [:]) -> [UInt8]
  {
    var json = JSONWriter()
    json.object { json in
      json.member("time", now().description)
      json.member("level", level.rawValue)
      json.member("message", message)
      for (name, value) in metadata.sorted(by: { $0.key < $1.key }) {
        switch value {
        case .stringConvertible(let number as Int): json.member(named: name, number)
        case .stringConvertible(let number as Double) where number.isFinite:
          json.member(named: name, Decimal(number: number))
        case .string, .stringConvertible, .array, .dictionary:
          json.member(named: name, value.description)
        }
      }
    }
    return json.bytes + [UInt8(ascii: "\n")]
  }
}

private struct Decimal: JSONWritable {
  let number: Double

  /// As Swift writes one that is finite, which RFC 8259 §6 takes.
  func write(to json: inout JSONWriter) { json.raw(number.description.utf8) }
}
