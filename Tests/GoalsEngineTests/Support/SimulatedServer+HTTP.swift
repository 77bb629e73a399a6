import GoalsCore
import GoalsReplica
import GoalsWire
import JSON
import ReplicaTestSupport
import TestSupport

/// The simulated server as bytes: what the real one would answer to the same request.
extension SimulatedServer {
  mutating func answer(
    _ method: String, _ target: String, _ body: [UInt8], from device: String, at now: Instant
  ) -> (status: Int, body: [UInt8]) {
    let (path, query) = Self.parts(of: target)
    var request: Replica.Request?
    switch (method, path) {
    case ("GET", "/v1/account") where query["version"] == "0": return (200, Self.account)
    case ("GET", "/v1/edits"): request = .read(after: query["after"].map { Replica.Cursor($0) })
    case ("POST", "/v1/sync"): request = Self.sync(body)
    // NB: open, texts
    default: break
    }
    guard let request else { return (404, []) }
    switch answer(request, from: device, at: now) {
    case .success(.page(let page)): return (200, json(of: page))
    case .success(.identity): return (404, [])
    case .failure(let error):
      return (
        error.refusal.status,
        Array("{\"code\":\"\(error.refusal.code ?? "")\",\"detail\":\"\"}".utf8)
      )
    }
  }

  private static func parts(of target: String) -> (path: String, query: [String: String]) {
    let parts = target.split(separator: "?", maxSplits: 1)
    var query: [String: String] = [:]
    for item in parts.dropFirst().first?.split(separator: "&") ?? [] {
      let pair = item.split(separator: "=", maxSplits: 1)
      query[String(pair[0])] = String(pair[1])
    }
    return (String(parts[0]), query)
  }

  private static func sync(_ body: [UInt8]) -> Replica.Request? {
    guard let root = try? JSONDocument(parsing: body).root else { return nil }
    var object = ObjectReader(root)
    let reader = ProposalReader { 0 }
    let batch = BatchBody(from: &object, edits: 0...500, by: reader)
    let after = object.optional("after", Reading.string.orNull) ?? nil
    guard object.finish().isEmpty else { return nil }
    let edits = batch.proposals.compactMap { proposal in
      if case .edit(let edit) = proposal { edit } else { nil }
    }
    guard edits.count == batch.proposals.count else { return nil }
    return .sync(after: after.map { Replica.Cursor($0) }, edits: edits)
  }

  private static var account: [UInt8] {
    var json = JSONWriter()
    json.object { json in
      json.member("id", identity.account)
      json.member("name", "Ann")
      identity.calendar.writeMembers(to: &json)
      json.member("version", 0)
    }
    return json.bytes
  }

  /// The page as `POST /v1/sync` has it. `GET /v1/edits` lacks the outcomes.
  private func json(of page: Replica.Page) -> [UInt8] {
    let end = version(of: page.cursor) ?? 0
    var json = JSONWriter()
    json.object { json in
      json.member("outcomes", page.outcomes)
      json.array("edits") { json in
        for edit in log[end - page.entries.count..<end] { json.value(edit) }
      }
      json.member("version", log.count)
      json.member("cursor", page.cursor.text)
      json.member("more", page.more)
    }
    return json.bytes
  }

  /// The data of the stream's event of a version.
  func streamed(_ version: Int) -> [UInt8] {
    var json = JSONWriter()
    json.value(log[version - 1])
    return json.bytes
  }
}
