import GoalsCore
import GoalsEngine
import GoalsReplica
import JSON
import ReplicaTestSupport
import TestSupport

/// A shell in another language, as far as one can be written in Swift: it sees nothing but bytes.
struct TestShell {
  var engine = Engine()
  var server = SimulatedServer()
  var now = Instant.at("2026-11-20T12:00:00Z")
  /// What is durable.
  var snapshot = ""
  var changes: [String] = []
  /// The entries of the log, by id, and by the roots of their chains.
  private(set) var entries: [String: String] = [:]
  private(set) var chains: [Int64: [String]] = [:]
  /// Every message and its answer, first to last.
  private(set) var transcript: [(message: [UInt8], answer: [UInt8])] = []
  /// The requests that are not answered yet.
  var requests: [(ticket: Int64, method: String, target: String, body: [UInt8])] = []
  /// The decisions that lead to nothing here: `show`, `wait`, `tell`, `follow`, `unfollow`.
  private(set) var others: [String] = []
  /// Whether requests are answered at once.
  var isOnline = true

  /// Says an event, and performs what is decided. Answers with the whole answer.
  @discardableResult
  mutating func tell(_ event: String, _ members: String = "", _ bytes: [UInt8] = []) -> JSONValue {
    var line = "{\"event\":\"\(event)\",\"now\":\"\(now)\",\"chance\":0.5"
    if !members.isEmpty { line += "," + members }
    var answer = say(line + "}", bytes)
    if let ids = answer["lookUp"]?.elements {
      let entries = found(ids.map { $0.text })
      answer = say(line + ",\"known\":[\(entries.joined(separator: ","))]}", bytes)
    }
    for decision in answer["decisions"]?.elements.map({ Array($0) }) ?? [] { perform(decision) }
    return answer
  }

  mutating func start() {
    let bytes = ([snapshot] + changes).map { $0 + "\n" }.joined()
    tell("loaded", "\"changes\":\(changes.count)", Array(bytes.utf8))
    tell("signedIn")
  }

  /// The process ends. What is durable stays.
  mutating func restart() {
    engine = Engine()
    requests = []
    start()
  }

  mutating func edit(_ edits: String...) {
    tell("edited", "\"edits\":[\(edits.joined(separator: ","))]")
  }

  mutating func ask(_ question: String, _ members: String = "") -> JSONValue {
    let line =
      "{\"ask\":\"\(question)\",\"now\":\"\(now)\"" + (members.isEmpty ? "" : ",") + members
    let answer = say(line + "}", [])
    guard let ids = answer["lookUp"]?.elements else { return answer }
    let entries = found(ids.map { $0.text })
    return say(line + ",\"known\":[\(entries.joined(separator: ","))]}", [])
  }

  /// The server answers requests until there is none.
  mutating func exchange() {
    while !requests.isEmpty { answerRequest() }
  }

  mutating func answerRequest() {
    let (ticket, method, target, body) = requests.removeFirst()
    let answer = server.answer(method, target, body, from: "phone", at: now)
    tell("answered", "\"ticket\":\(ticket),\"status\":\(answer.status),\"fields\":{}", answer.body)
  }

  @discardableResult
  mutating func say(_ line: String, _ bytes: [UInt8]) -> JSONValue {
    let message = Array(line.utf8) + (bytes.isEmpty ? [] : [UInt8(ascii: "\n")] + bytes)
    let answer = engine.answer(message)
    transcript.append((message, answer))
    return known(try? JSONDocument(parsing: answer).root, String(decoding: answer, as: UTF8.self))
  }

  // MARK: Performing

  private mutating func perform(_ decision: JSONValue) {
    switch decision["decision"]?.text {
    case "keep":
      keep(decision["change"])
      tell("kept", "\"number\":\(decision["number"]?.number?.integer ?? -1)")
    case "replace":
      snapshot = decision["snapshot"].map { text(of: $0) } ?? ""
      changes = []
    case "send":
      requests.append(
        (
          decision["ticket"]?.number?.integer ?? -1, decision["method"]?.text ?? "",
          decision["target"]?.text ?? "", decision["body"].map { Array(text(of: $0).utf8) } ?? []
        ))
      if isOnline { exchange() }
    case "findZone":
      let name = decision["name"]?.text ?? ""
      let zone = ZoneName(name).flatMap { mockZone($0).zone }
      tell("zone", "\"name\":\"\(name)\",\"found\":\(zone != nil)", zone?.file ?? [])
    // NB: open, texts
    default: others.append(text(of: decision))
    }
  }

  private mutating func keep(_ change: JSONValue?) {
    guard let change else { return }
    changes.append(text(of: change))
    if change["restart"] != nil { (entries, chains) = ([:], [:]) }
    for entry in change["recorded"]?.elements.map({ Array($0) }) ?? [] {
      let id = entry["id"]?.text ?? ""
      entries[id] = text(of: entry)
      if let root = entry["root"]?.number?.integer { chains[root, default: []].append(id) }
    }
  }

  /// The entries of these ids, and those of their chains.
  private func found(_ ids: [String]) -> [String] {
    var found: Set<String> = []
    for id in ids {
      guard let text = entries[id], let entry = try? JSONDocument(parsing: Array(text.utf8)).root
      else { continue }
      let root = (entry["root"] ?? entry["edit"]?["version"])?.number?.integer
      found.formUnion([id] + (root.flatMap { chains[$0] } ?? []))
    }
    return found.sorted().compactMap { entries[$0] }
  }
}

extension JSONValue {
  /// The first member of this name.
  subscript(name: String) -> JSONValue? {
    members?.first { String($0.name) == name }?.value
  }

  subscript(index: Int) -> JSONValue? {
    elements.flatMap { Array($0.dropFirst(index).prefix(1)).first }
  }

  /// The string, or nothing.
  var text: String { string.map { String($0) } ?? "" }
}

/// A value as it is written.
func text(of value: JSONValue) -> String {
  var json = JSONWriter()
  json.value(value)
  return String(decoding: json.bytes, as: UTF8.self)
}
