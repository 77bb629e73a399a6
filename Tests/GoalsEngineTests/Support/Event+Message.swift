import GoalsCore
import GoalsReplica
import GoalsWire
import HTTP
import JSON
import TestSupport

@testable import GoalsEngine

extension Replica.Event {
  /// The message by which a shell would tell this event, with the entries that it knows.
  func message(known: [RecordedEdit]?) -> [UInt8] {
    var json = JSONWriter()
    var bytes: [UInt8] = []
    json.object { json in
      json.member("event", kind.name)
      json.member("now", now)
      json.member("chance") { $0.raw("\(chance)".utf8) }
      bytes = kind.writeMembers(to: &json)
      if let known { json.member("known", known.map { KeptEntry($0) }) }
    }
    return json.bytes + [UInt8(ascii: "\n")] + bytes
  }
}

extension Replica.Event.Kind {
  fileprivate var name: String {
    switch self {
    case .loaded: "loaded"
    case .signedIn: "signedIn"
    case .edited: "edited"
    case .dismissed: "dismissed"
    case .kept: "kept"
    case .notKept: "notKept"
    case .answered, .refused: "answered"
    case .unreachable: "unreachable"
    case .followed: "followed"
    case .followReset: "followReset"
    case .followEnded: "followEnded"
    case .zone: "zone"
    case .timePassed: "timePassed"
    case .cameToFront: "cameToFront"
    }
  }

  /// Writes the members, and answers with the bytes that follow the line.
  fileprivate func writeMembers(to json: inout JSONWriter) -> [UInt8] {
    switch self {
    case .loaded(let kept, _, _):
      json.member("changes", 0)
      return kept.line + [UInt8(ascii: "\n")]
    case .edited(let edits): json.member("edits", edits)
    case .dismissed(let ids): json.member("ids", ids)
    case .kept(let number), .notKept(let number): json.member("number", number)
    case .answered(let ticket, let answer, let date):
      return Self.writeAnswer(ticket, 200, date, body(of: answer), to: &json)
    case .refused(let ticket, let refusal, let date):
      return Self.writeAnswer(ticket, refusal.status, date, body(of: refusal), to: &json)
    case .unreachable(let ticket): json.member("ticket", ticket)
    case .followed(let entries, let cursor):
      return body(
        of: .page(Replica.Page(outcomes: [], entries: entries, cursor: cursor, more: false)))
    case .followEnded(let hadBegun): json.member("hadBegun", hadBegun)
    case .zone(let name, let lookup):
      json.member("name", name.text)
      switch lookup {
      case .found(let zone):
        json.member("found", true)
        return zone.file
      case .unknown: json.member("found", false)
      case .unavailable: json.member("found") { $0.null() }
      }
    case .signedIn, .followReset, .timePassed, .cameToFront: break
    }
    return []
  }

  private static func writeAnswer(
    _ ticket: Int, _ status: Int, _ date: Instant?, _ body: [UInt8], to json: inout JSONWriter
  ) -> [UInt8] {
    json.member("ticket", ticket)
    json.member("status", status)
    json.object("fields") { json in
      json.member("date", date.map { HTTPDate.text(unixSeconds: Int($0.seconds)) })
    }
    return body
  }
}

private func body(of answer: Replica.Answer) -> [UInt8] {
  var json = JSONWriter()
  json.object { json in
    switch answer {
    case .identity(let identity):
      json.member("id", identity.account)
      identity.calendar.writeMembers(to: &json)
    case .page(let page):
      json.member("outcomes", page.outcomes)
      json.array("edits") { json in
        for entry in page.entries {
          if case .edit(let payload) = entry {
            json.value(payload.written)
          } else {
            json.value("an edit of a newer server")
          }
        }
      }
      json.member("cursor", page.cursor.text)
      json.member("more", page.more)
    }
  }
  return json.bytes
}

private func body(of refusal: Replica.Refusal) -> [UInt8] {
  var json = JSONWriter()
  json.object { json in
    json.member("code", refusal.code)
    json.member("detail", refusal.detail)
    json.member("errors", refusal.pointers.map { Fault(pointer: $0, detail: "") })
    json.member("outcomes", refusal.outcomes)
  }
  return json.bytes
}

extension RecordedPayload {
  /// An edit with this payload. What undoing it needs is made up: it is not written.
  var written: RecordedEdit {
    let undone = RecordedEdit.Undone(root: Version(1), effect: .remove(1))
    return known(
      with(undone: edit.undone == nil ? nil : undone) { Reversal($0) }, "a payload")
  }
}
