import GoalsCore
import HTTP
import JSON

/// What the server answered, taken apart.
struct Answered: Sendable {
  struct Outcome: Sendable {
    var id: String?
    var status = ""
    var code: String?
    var version: Int?

    /// Whether the edit is in the log.
    var isRecorded: Bool { status == "applied" || status == "duplicate" }
  }

  let status: Int
  let body: [UInt8]
  private(set) var code: String?
  private(set) var version: Int?
  private(set) var cursor: String?
  private(set) var more: Bool?
  private(set) var outcomes: [Outcome] = []
  /// The recorded edits of a page, each as it was written.
  private(set) var edits: [[UInt8]] = []
  private(set) var goals: [Goal.ID] = []

  init(_ response: Response) throws {
    status = response.status.code
    body = response.body
    for (name, value) in try JSONDocument(parsing: body).root.fields {
      switch name {
      case "code": code = value.text
      case "version": version = value.integer
      case "cursor": cursor = value.text
      case "more": more = value.bool
      case "outcomes": outcomes = value.elements?.map(Outcome.init) ?? []
      case "edits":
        edits =
          value.elements?.map { element in
            var json = JSONWriter()
            json.value(element)
            return json.bytes
          } ?? []
      case "goals": goals = value.elements?.compactMap(\.id) ?? []
      default: break
      }
    }
  }
}

extension Answered.Outcome {
  fileprivate init(_ value: JSONValue) {
    for (name, value) in value.fields {
      switch name {
      case "id": id = value.text
      case "status": status = value.text ?? ""
      case "code": code = value.text
      case "version": version = value.integer
      default: break
      }
    }
  }
}

extension JSONValue {
  fileprivate var text: String? { string.map { String($0) } }
  fileprivate var integer: Int? { number?.integer.map { Int($0) } }

  /// Of an object, in order.
  fileprivate var fields: [(name: JSONString, value: JSONValue)] {
    guard let members else { return [] }
    return Array(members)
  }

  fileprivate var id: Goal.ID? {
    let text: String? = fields.first { $0.name == "id" }?.value.text
    return text.flatMap { Goal.ID($0) }
  }
}
