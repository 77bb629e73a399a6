/// Reads `text/event-stream` piece by piece (WHATWG HTML, 9.2.6 Interpreting an event stream).
struct EventStream {
  struct Event: Hashable {
    /// Nil where the event names none.
    var type: String?
    /// Nil where the event has none of its own.
    var id: String?
    var data: [UInt8] = []
  }

  /// The longest event, in bytes. An edit is shorter than the largest body of a request, 4 MiB.
  private let maximum: Int

  init(maximum: Int = 8 << 20) { self.maximum = maximum }

  private var line: [UInt8] = []
  private var event = Event()
  private var hasData = false
  private var endsWithReturn = false

  /// The events that end in these bytes; nil where one is too long.
  mutating func take(_ bytes: some Sequence<UInt8>) -> [Event]? {
    var events: [Event] = []
    for byte in bytes {
      switch byte {
      case UInt8(ascii: "\n") where endsWithReturn:
        endsWithReturn = false
      case UInt8(ascii: "\n"), UInt8(ascii: "\r"):
        endsWithReturn = byte == UInt8(ascii: "\r")
        if let event = endLine() { events.append(event) }
      // NB: open: a switch over numbers.
      default:
        endsWithReturn = false
        line.append(byte)
      }
      guard line.count + event.data.count <= maximum else { return nil }
    }
    return events
  }

  /// The event, where the line is the empty one after it. An event without data is one, too: it has
  /// the position where the stream begins.
  private mutating func endLine() -> Event? {
    defer { line = [] }
    if line.isEmpty {
      defer {
        event = Event()
        hasData = false
      }
      return hasData || event.id != nil ? event : nil
    }
    let colon = line.firstIndex(of: UInt8(ascii: ":")) ?? line.endIndex
    var value = line[colon...].dropFirst()
    if value.first == UInt8(ascii: " ") { value = value.dropFirst() }
    switch String(decoding: line[..<colon], as: UTF8.self) {
    case "event": event.type = String(decoding: value, as: UTF8.self)
    case "id": event.id = String(decoding: value, as: UTF8.self)
    case "data":
      if hasData { event.data.append(UInt8(ascii: "\n")) }
      hasData = true
      event.data += value
    // NB: open: comments, and fields that mean nothing here.
    default: break
    }
    return nil
  }
}
