import GoalsService
import HTTP

/// What a device asks of the server.
struct Asked: Sendable {
  enum Operation: Sendable {
    /// `POST /v1/sync`, `POST /v1/edits`, `GET /v1/edits`, `GET /v1/goals`.
    case sync, send, fetch, list
  }

  let device: Int
  /// How often the device was started: an answer to an earlier run finds nobody.
  let run: Int
  let operation: Operation
  var edits: [DeviceEdit] = []
  var isAtomic = false
  var ifVersion: Int?
  var after: String?
  var limit = 500

  /// As it goes over the wire.
  func request(token: String) throws(Violation) -> Request {
    let (method, path): (Method, String) =
      switch operation {
      case .sync: (.post, "/v1/sync")
      case .send: (.post, "/v1/edits")
      case .fetch: (.get, "/v1/edits?limit=\(limit)" + (after.map { "&after=\($0)" } ?? ""))
      case .list: (.get, "/v1/goals")
      }
    guard let target = Target(path, method: method) else { throw Violation("a target: \(path)") }
    let body = Array(self.body.utf8)
    return Request(
      RequestHead(
        method: method, target: target,
        fields: ["Authorization": "Bearer \(token)", .contentType: "application/json"],
        framing: body.isEmpty ? .none : .length(body.count)),
      body: body)
  }

  private var body: String {
    let batch = """
      "edits":[\(edits.map(\.json).joined(separator: ","))],"atomic":\(isAtomic)\
      \(ifVersion.map { ",\"ifVersion\":\($0)" } ?? "")
      """
    return switch operation {
    case .sync: "{\"after\":\(after.map { "\"\($0)\"" } ?? "null"),\"limit\":\(limit),\(batch)}"
    case .send: "{\(batch)}"
    case .fetch, .list: ""
    }
  }
}
