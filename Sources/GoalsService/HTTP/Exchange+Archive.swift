import GoalsCore
import GoalsStore
import HTTP
import JSON

/// The operations on an account's whole history.
extension Exchange {
  func exportLog() throws(Problem) -> Inquiry {
    let caller = try caller()
    let useCase = ArchiveUseCase.export(caller.account)
    return Inquiry(
      message: .archive(useCase, for: asker),
      streaming: { reply in
        guard case .archive(let archive) = reply else { return nil }
        return archive.streamed(
          type: "application/x-ndjson", suffix: "ndjson", fields: [.cacheControl: "no-store"],
          to: caller, by: gatekeeper)
      })
  }

  func exportCounts() throws(Problem) -> Inquiry {
    let conditions = ReadConditions(request.fields)
    let caller = try caller()
    let useCase = ArchiveUseCase.counts(caller.account)
    return Inquiry(
      message: .archive(useCase, for: asker),
      presenting: { reply throws(Problem) in
        guard case .archive(let archive) = reply else { return nil }
        let tag = EntityTag(archive.cursor, validUntil: nil)
        let fields: Fields = [.entityTag: tag.description, .cacheControl: "private, no-cache"]
        if try conditions.isKnown(tag.description) {
          return .whole(Response(.notModified, fields: fields))
        }
        return .stream(
          archive.streamed(
            type: "text/csv; charset=utf-8; header=present", suffix: "csv", fields: fields,
            to: caller,
            by: gatekeeper))
      })
  }

  func importLog() throws(Problem) -> Inquiry {
    try checkQuery()
    let useCase = ArchiveUseCase.take(try caller(), request.body)
    return Inquiry(message: .archive(useCase, for: asker)) { reply in
      guard case .imported(let cursor) = reply else { return nil }
      var json = JSONWriter()
      json.object { json in
        json.member("version", cursor.head.version)
        json.member("cursor", cursor.description)
      }
      return Response(.created, fields: [.location: "/v1/goals"], json: json.bytes)
    }
  }
}

extension Archive {
  /// The pieces as a file to be saved (RFC 6266).
  fileprivate func streamed(
    type: String, suffix: String, fields: Fields, to caller: Caller, by gatekeeper: Gatekeeper
  ) -> Streamed {
    var fields = fields
    fields[.contentType] = type
    let name = day.map { "goals-\($0)" } ?? "goals"
    fields["Content-Disposition"] = "attachment; filename=\"\(name).\(suffix)\""
    fields["X-Content-Type-Options"] = "nosniff"
    return Streamed(
      head: Response(.ok, fields: fields),
      begin: { stream in send(stream) { gatekeeper.admits(caller) } }, ended: {})
  }
}
