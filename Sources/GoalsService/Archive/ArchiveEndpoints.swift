import GoalsCore
import HTTP
import HTTPServer
import JSON

extension Endpoint {
  static let exportLog = Endpoint(.get, "/v1/export") { exchange in
    let completion = exchange.completing { (archive: Archive) in
      try exchange.stream(
        archive, type: "application/x-ndjson", suffix: "ndjson", [.cacheControl: "no-store"])
    }
    return .archive(.export(try exchange.account, completion))
  }

  static let exportCounts = Endpoint(.get, "/v1/export.csv") { exchange in
    let conditions = ReadConditions(exchange.request.fields)
    let completion = exchange.completing { (archive: Archive, cursor: Cursor) in
      let tag = EntityTag(cursor, validUntil: nil).description
      let fields: Fields = [.entityTag: tag, .cacheControl: "private, no-cache"]
      if try conditions.isKnown(tag) {
        return exchange.send(Response(.notModified, fields: fields))
      }
      try exchange.stream(
        archive, type: "text/csv; charset=utf-8; header=present", suffix: "csv", fields)
    }
    return .archive(.counts(try exchange.account, completion))
  }

  static let importLog = Endpoint(.post, "/v1/import", body: .lines) { exchange in
    try exchange.checkQuery()
    let caller = try exchange.caller
    let completion = exchange.answering { (cursor: Cursor) in
      var json = JSONWriter()
      json.object { json in
        json.member("version", cursor.head.version)
        json.member("cursor", cursor.description)
      }
      return Response(.created, fields: [.location: "/v1/goals"], json: json.bytes)
    }
    return .archive(
      .take(
        exchange.request.body, into: caller.account, by: caller.authority, for: exchange.asker,
        completion))
  }
}

extension Exchange {
  /// Sends an archive as a file to be saved (RFC 6266), for as long as the caller is let in.
  fileprivate func stream(
    _ archive: Archive, type: String, suffix: String, _ fields: Fields
  ) throws {
    let caller = try caller
    var fields = fields
    fields[.contentType] = type
    let name = archive.day.map { "goals-\($0)" } ?? "goals"
    fields["Content-Disposition"] = "attachment; filename=\"\(name).\(suffix)\""
    fields["X-Content-Type-Options"] = "nosniff"
    let stream = stream(Response(.ok, fields: fields))
    archive.send(over: stream) { [gatekeeper] in gatekeeper.admits(caller) }
  }
}

extension Archive {
  /// Writes the pieces that are left, each once the system has taken the one before. Where a piece
  /// can't be made, or the caller is let in no more, the stream is cut off, so that nobody takes
  /// the pieces before it for the whole.
  func send(
    over stream: ResponseStream, while isWanted: @escaping @Sendable () -> Bool = { true }
  ) {
    perform {
      guard stream.isOpen else { return }
      guard isWanted() else { return stream.cutOff() }
      switch world.catching(next) {
      case .success(let piece?): stream.write(piece) { send(over: stream, while: isWanted) }
      case .success(nil): stream.end()
      case .failure: stream.cutOff()
      }
    }
  }
}
