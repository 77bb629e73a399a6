import GoalsCore
import HTTP

extension Endpoint {
  /// The names of zones hold slashes, which may come encoded.
  static let pathOfZones = "/v1/zones/"

  /// A time zone as this server reads it: its TZif file (RFC 9636). It changes with the machine's
  /// database only.
  static let readZone = Endpoint(.get, pathOfZones + "{+name}") { exchange in
    let conditions = ReadConditions(exchange.request.fields)
    let completion = exchange.answering { (zone: Zone) in
      let tag = "\"\(zone.file.digest)\""
      let fields: Fields = [.entityTag: tag, .cacheControl: "private, max-age=86400"]
      if try conditions.isKnown(tag) { return Response(.notModified, fields: fields) }
      var response = Response(.ok, fields: fields, body: zone.file)
      response.fields.append(.contentType, "application/octet-stream")
      response.fields.append(.nosniff)
      return response
    }
    return .account(.zone(try exchange.zoneName, completion))
  }
}
