import GoalsCore
import GoalsWire
import HTTP
import JSON

extension Endpoint {
  static let listGoals = Endpoint(.get, "/v1/goals", query: ["active", "version"]) { exchange in
    var query = exchange.query
    let asked = (active: query.flag("active"), version: query.version("version"))
    let (active, version) = try exchange.valid(query.finish(asked))
    let conditions = ReadConditions(exchange.request.fields)
    let completion = exchange.answering { (listing: Listing) in
      try conditions.response(version == nil ? listing.tag : .past(listing.cursor)) {
        Response(.ok, json: active.map { listing.json(active: $0) } ?? listing.json)
      }
    }
    return .goals(
      .list(of: try exchange.account, at: version, for: exchange.asker, completion))
  }

  static let readGoal = Endpoint(.get, "/v1/goals/{id}", for: .readersAndButtons) { exchange in
    let conditions = ReadConditions(exchange.request.fields)
    let completion = exchange.answering { (goal: GoalView) in
      try conditions.response(goal.listing.tag) { Response(.ok, json: goal.item.json) }
    }
    return .goals(
      .read(try exchange.goalID, of: try exchange.account, for: exchange.asker, completion))
  }

  static let readHistory = Endpoint(
    .get, "/v1/goals/{id}/history", query: ["from", "to", "edits"]
  ) { exchange in
    try exchange.history { view in
      let history = view.history
      var json = JSONWriter(reserving: 200 + 60 * history.days.count + 90 * history.periods.count)
      json.value(history)
      return Response(.ok, json: json.bytes)
    }
  }

  /// The histories of all goals say little with many words, so they are compressed for a client
  /// that accepts it.
  static let readHistories = Endpoint(.get, "/v1/history", query: ["from", "to", "cursor"]) {
    exchange in
    let fields = exchange.request.fields
    let conditions = ReadConditions(fields)
    var query = exchange.query
    let window = HistoryWindow(
      from: query.day("from"), to: query.day("to"), maximum: HistoryWindow.maximumDaysOfAll)
    let cursor = query.goal("cursor", "a cursor is expected")
    let coding = fields.preferredCoding
    let asked = AskedHistories(
      window: window, after: cursor, makeText: { PackedText(coding) },
      areWanted: {
        (try? conditions.isKnown(EntityTag($0, validUntil: $1, coding).description)) == false
      })
    _ = try exchange.valid(query.finish(()))
    let completion = exchange.answering { (histories: Histories) in
      let tag = EntityTag(histories.cursor, validUntil: histories.validUntil, coding)
      var response = try conditions.response(tag) {
        Response(
          .ok, fields: coding.token.map { [.contentEncoding: $0] } ?? [:],
          json: histories.body ?? [])
      }
      response.fields.append("Vary", "Accept-Encoding")
      return response
    }
    return .goals(
      .histories(asked, of: try exchange.account, for: exchange.asker, completion))
  }

  /// The history as a picture: an SVG document, which may load nothing and have its own style (CSP
  /// Level 3).
  static let drawHistory = Endpoint(
    .get, "/v1/goals/{id}/history.svg", query: ["from", "to"], for: .readersAndButtons
  ) { exchange in
    let tag = try exchange.goalID.description
    return try exchange.history { view in
      Response(
        .ok,
        fields: [
          .contentType: "image/svg+xml", "X-Content-Type-Options": "nosniff",
          "Content-Security-Policy":
            "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
        ], body: view.heatMap.svg(tag: tag))
    }
  }
}

extension Exchange {
  fileprivate func history(
    _ show: @escaping @Sendable (HistoryView) -> Response
  ) throws -> Message {
    let conditions = ReadConditions(request.fields)
    var query = query
    let window = HistoryWindow(from: query.day("from"), to: query.day("to"))
    let showsBumps = query.flag("edits") ?? false
    _ = try valid(query.finish(()))
    let completion = answering { (view: HistoryView) in
      let tag = EntityTag(view.cursor, validUntil: view.validUntil)
      return try conditions.response(tag) { show(view) }
    }
    return .goals(
      .history(
        AskedHistory(goal: try goalID, window: window, showsBumps: showsBumps),
        of: try account, for: asker, completion))
  }
}

extension Listing {
  var tag: EntityTag { EntityTag(cursor, validUntil: goals.validUntil) }
}

extension Goals.Item {
  var json: [UInt8] {
    var json = JSONWriter(reserving: 400)
    json.value(self)
    return json.bytes
  }
}
