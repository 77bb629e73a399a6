import GoalsCore
import GoalsReplica
import GoalsWire
import JSON

/// The fields of an answer that mean something to the replica, as they came; nil for one that did
/// not come.
public struct AnswerFields: Hashable, Sendable {
  /// `Date`.
  public let date: String?
  /// `Retry-After`: seconds, or a date.
  public let retryAfter: String?

  public init(date: String? = nil, retryAfter: String? = nil) {
    self.date = date
    self.retryAfter = retryAfter
  }
}

extension Replica.Event.Kind {
  /// The event that an HTTP answer is: `answered`; or `refused`, for any status but 2xx, and for a
  /// success that makes no sense.
  public init(
    to request: Replica.Request, _ ticket: Replica.Ticket, status: Int, _ fields: AnswerFields,
    body: [UInt8]
  ) {
    let date = fields.date.flatMap { Instant(httpDate: $0) }
    guard (200...299).contains(status) else {
      let asked = fields.retryAfter.flatMap { seconds(asked: $0, date: date) }
      self = .refused(ticket, Replica.Refusal(status: status, retryAfter: asked, body), date: date)
      return
    }
    let root = try? JSONDocument(parsing: body).root
    let answer: Replica.Answer? =
      switch request {
      case .identity: root.flatMap { Replica.Identity(account: $0) }.map { .identity($0) }
      case .sync: root.flatMap { Replica.Page($0, hasOutcomes: true) }.map { .page($0) }
      case .read: root.flatMap { Replica.Page($0, hasOutcomes: false) }.map { .page($0) }
      }
    self =
      answer.map { .answered(ticket, $0, date: date) }
      ?? .refused(ticket, Replica.Refusal(status: status), date: date)
  }

  /// The event that an event of the stream is (`GET /v1/changes`); nil where the replica has no use
  /// for it: that a period ended, it knows by its own calendar.
  ///
  /// - Parameters:
  ///   - type: the stream's `event`; nil or `message` where it names none.
  ///   - cursor: the stream's `id`.
  public init?(streamed type: String?, _ cursor: String?, data: [UInt8]) {
    switch type {
    case "reset": self = .followReset
    case nil, "message", "edit":
      guard let cursor else { return nil }
      self.init(followed: cursor, data)
    // NB: open, the types of the present server and of newer ones
    default: return nil
    }
  }

  init(followed cursor: String, _ data: [UInt8]) {
    // The first event of a stream only says where it begins.
    let entries = data.isEmpty ? [] : [Replica.LogEntry((try? JSONDocument(parsing: data))?.root)]
    self = .followed(entries, Replica.Cursor(cursor))
  }

  /// The events that the answer of a long poll leads to, in order.
  public static func events(ofLongPoll status: Int, body: [UInt8]) -> [Replica.Event.Kind] {
    switch status {
    case 200...299:
      guard let followed = Self(longPolled: body) else { return [.followEnded(hadBegun: false)] }
      return [followed, .followEnded(hadBegun: true)]
    case 410 where Replica.Refusal(status: status, retryAfter: nil, body).code == "cursor-diverged":
      return [.followReset]
    // NB: open, every other status
    default: return [.followEnded(hadBegun: false)]
    }
  }

  /// Nil where the body makes no sense.
  init?(longPolled body: [UInt8]) {
    guard let root = try? JSONDocument(parsing: body).root,
      let page = Replica.Page(root, hasOutcomes: false)
    else { return nil }
    self = .followed(page.entries, page.cursor)
  }
}

/// The seconds that a server asks for: a number of them, or a date, beside the `Date` of the same
/// answer (RFC 9110 §10.2.3).
private func seconds(asked text: String, date: Instant?) -> Int? {
  if let seconds = Int(text), seconds >= 0 { return seconds }
  guard let until = Instant(httpDate: text), let date else { return nil }
  return Int(clamping: max(0, until.seconds - date.seconds))
}

extension Instant {
  /// Reads the preferred form of a date in HTTP, `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110 §5.6.7);
  /// nil for anything else. The weekday is passed over.
  init?(httpDate text: String) {
    let parts = text.utf8.split(separator: UInt8(ascii: " ")).map { Substring($0) }
    let months = [
      "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
    guard parts.count == 6, parts[5] == "GMT",
      let month = months.firstIndex(where: { parts[2] == $0 })
    else { return nil }
    let number = month < 9 ? "0\(month + 1)" : "\(month + 1)"
    self.init("\(parts[3])-\(number)-\(parts[1])T\(parts[4])Z")
  }
}
