import GoalsCore
import GoalsStore
import GoalsWire
import HTTP
import JSON

/// The operations that read.
extension Exchange {
  func listGoals() throws(Problem) -> Inquiry {
    var query = query
    let asked = (active: query.flag("active"), version: query.version("version"))
    let (active, version) = try valid(query.finish(asked))
    let conditions = ReadConditions(request.fields)
    let account = try caller().account
    let useCase = version.map { GoalsUseCase.past(account, $0) } ?? .list(account)
    return Inquiry(message: .goals(useCase, for: asker)) { reply throws(Problem) in
      guard case .list(let listing) = reply else { return nil }
      return try conditions.response(listing.tag) {
        Response(.ok, json: active.map { listing.json(active: $0) } ?? listing.json)
      }
    }
  }

  func readGoal() throws(Problem) -> Inquiry {
    let conditions = ReadConditions(request.fields)
    return Inquiry(message: .goals(.read(try caller().account, try goalID()), for: asker)) {
      reply throws(Problem) in
      guard case .goal(let entry, let tag) = reply else { return nil }
      return try conditions.response(tag) { Response(.ok, json: entry.json) }
    }
  }

  func readHistory() throws(Problem) -> Inquiry {
    let conditions = ReadConditions(request.fields)
    return Inquiry(message: .goals(try historyUseCase(), for: asker)) { reply throws(Problem) in
      guard case .history(let reading) = reply else { return nil }
      return try conditions.response(reading.tag) {
        let history = reading.history
        var json = JSONWriter(
          reserving: 200 + 60 * history.days.count + 90 * history.periods.count)
        json.value(history)
        return Response(.ok, json: json.bytes)
      }
    }
  }

  /// The history as a picture.
  func drawHistory() throws(Problem) -> Inquiry {
    let conditions = ReadConditions(request.fields)
    let tag = try goalID().description
    return Inquiry(message: .goals(try historyUseCase(), for: asker)) { reply throws(Problem) in
      guard case .history(let reading) = reply else { return nil }
      return try conditions.response(reading.tag) { .picture(reading.heatMap.svg(tag: tag)) }
    }
  }

  private func historyUseCase() throws(Problem) -> GoalsUseCase {
    var query = query
    let asked = HistoryWindow(from: query.day("from"), to: query.day("to"))
    let window = try valid(query.finish(asked))
    return .history(try caller().account, try goalID(), window)
  }

  /// How many edits a page may hold, and how many it does where nothing is said.
  static let pageLimits = 1...1000
  static let pageLimit = 500

  func listEdits() throws(Problem) -> Inquiry {
    var query = query
    let asked = (
      limit: query.integer("limit", in: Self.pageLimits) ?? Self.pageLimit,
      cursor: query.cursor("after"), seconds: query.integer("wait", in: 1...30)
    )
    let (limit, cursor, seconds) = try valid(query.finish(asked))
    let caller = try caller()
    let message: Message =
      seconds.map { .changes(.await(caller, after: cursor, limit: limit, seconds: $0)) }
      ?? .edits(.page(caller.account, after: cursor, limit: limit))
    return Inquiry(message: message) { reply in
      guard case .page(let reading) = reply else { return nil }
      var json = JSONWriter(reserving: reading.size)
      json.object { json in reading.writeMembers(to: &json) }
      return Response(.ok, json: json.bytes)
    }
  }

  func readEdit() throws(Problem) -> Inquiry {
    Inquiry(message: .edits(.read(try caller().account, try editID()))) { reply in
      guard case .edit(let entry) = reply else { return nil }
      return Response(.ok, json: entry.payload)
    }
  }

  func readReadiness() -> Inquiry {
    Inquiry(message: .health(.readiness)) { _ in
      Response(.ok, json: Array(#"{"status":"ready"}"#.utf8))
    }
  }

  func readAccount() throws(Problem) -> Inquiry {
    Inquiry(message: .account(.read(try caller().account))) { reply in
      guard case .account(let reading) = reply else { return nil }
      return Response(.ok, json: reading.json)
    }
  }
}

extension Goals.Entry {
  var json: [UInt8] {
    var json = JSONWriter(reserving: 400)
    json.value(self)
    return json.bytes
  }
}

extension LogReading {
  /// About how many bytes its members take.
  var size: Int { page.entries.reduce(200) { $0 + $1.payload.count + 1 } }

  /// Its members, of whatever object is open.
  func writeMembers(to json: inout JSONWriter) {
    json.array("edits") { json in
      for entry in page.entries { json.raw(entry.payload) }
    }
    json.member("version", page.head)
    json.member("cursor", cursor.description)
    json.member("more", cursor.head.version < page.head)
  }
}

extension AccountReading {
  var json: [UInt8] {
    var json = JSONWriter()
    json.object { writeMembers(to: &$0) }
    return json.bytes
  }

  /// Its members, of whatever object is open.
  func writeMembers(to json: inout JSONWriter) {
    json.member("id", record.id)
    json.member("name", record.name)
    calendar.writeMembers(to: &json)
    json.member("version", cursor.head.version)
    json.member("cursor", cursor.description)
    json.member("createdAt", record.createdAt)
  }
}

extension Response {
  /// An SVG document, which may load nothing and have its own style (CSP Level 3).
  fileprivate static func picture(_ svg: [UInt8]) -> Response {
    Response(
      .ok,
      fields: [
        .contentType: "image/svg+xml", "X-Content-Type-Options": "nosniff",
        "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'",
      ], body: svg)
  }
}
