import GoalsCore
import GoalsReplica
import GoalsWire
import JSON

/// Why a message makes no sense: all faults, with their pointers in its line.
struct MessageError: Error {
  let detail: String
  var faults: [Fault] = []

  init(_ detail: String) { self.detail = detail }

  init(_ faults: [Fault]) {
    detail =
      faults.count == 1
      ? "One thing is wrong with the message."
      : "\(faults.count) things are wrong with the message."
    self.faults = faults
  }

  /// `{"error": {"detail", "errors"}}`.
  var json: [UInt8] {
    JSONWriter.bytes { json in
      json.object { json in
        json.object("error") { json in
          json.member("detail", detail)
          json.member("errors", faults)
        }
      }
    }
  }
}

/// A message of the shell: the members of its line, and the bytes behind it.
struct Message {
  var line: ObjectReader
  /// Empty where nothing follows the line.
  let bytes: [UInt8]
  /// Whether it asks, and changes nothing.
  let isQuestion: Bool
  private let name: String

  init(_ message: [UInt8]) throws(MessageError) {
    let end = message.firstIndex(of: UInt8(ascii: "\n")) ?? message.endIndex
    bytes = Array(message[end...].dropFirst())
    let root: JSONValue
    do throws(JSONError) {
      root = try JSONDocument(parsing: Array(message[..<end])).root
    } catch {
      throw MessageError("The first line is not JSON: \(error.description)")
    }
    line = ObjectReader(root)
    let event = line.optional("event", .string)
    let question = line.optional("ask", .string)
    guard let name = event ?? question, event == nil || question == nil else {
      if line.faults.isEmpty { line.add("an event or a question is expected", at: "event") }
      throw MessageError(line.faults)
    }
    self.name = name
    isQuestion = event == nil
  }

  /// The name of its event or question.
  func name<Name: RawRepresentable>(
    _ type: Name.Type
  ) throws(MessageError) -> Name where Name.RawValue == String {
    guard let name = Name(rawValue: name) else {
      let detail = "there is no such \(isQuestion ? "question" : "event")"
      throw MessageError([Fault(pointer: isQuestion ? "/ask" : "/event", detail: detail)])
    }
    return name
  }

  /// Checks that nothing is wrong with the line, once every known member was taken.
  mutating func finish() throws(MessageError) {
    let faults = line.finish()
    guard faults.isEmpty else { throw MessageError(faults) }
  }

  /// Takes a member without which nothing else can be read.
  mutating func required<Value>(
    _ name: StaticString, _ reading: Reading<Value>
  ) throws(MessageError) -> Value {
    guard let value = line.required(name, reading) else { throw MessageError(line.faults) }
    return value
  }

  // MARK: Members of several messages

  mutating func now() throws(MessageError) -> Instant { try required("now", .instant) }

  /// Takes `edits`, as in `POST /v1/edits`. Each fault has its pointer among them.
  mutating func edits() throws(MessageError) -> [Proposal] {
    guard let elements = line.take("edits")?.elements else {
      line.add("an array of edits is expected", at: "edits")
      throw MessageError(line.faults)
    }
    return elements.map { ProposalReader.ofDevice.read($0) }
  }

  /// Takes `known`: the entries that the shell found of those that were looked up; nil where it was
  /// not asked yet. Those that come after the log's state are left out: where a damaged file was
  /// read up to there, the log brings them again.
  mutating func known(of ids: [Edit.ID], in kept: Replica.Kept) -> RecordedEdits? {
    guard let value = line.take("known") else { return nil }
    guard let elements = value.elements else {
      line.add("an array of entries is expected", at: "known")
      return nil
    }
    var entries: [KeptEntry] = []
    for element in elements {
      if let entry = KeptEntry(element) {
        entries.append(entry)
      } else {
        line.add("these are not entries that were kept", at: "known")
      }
    }
    entries.removeAll { $0.edit.version > kept.state.version }
    return RecordedEdits(of: ids, found: entries)
  }

  mutating func ids() -> [Edit.ID] {
    guard let elements = line.take("ids")?.elements else {
      line.add("an array of ids is expected", at: "ids")
      return []
    }
    return elements.compactMap { element in
      let id = Reading<Edit.ID>.id().read(element)
      if id == nil { line.add(Reading<Edit.ID>.id().rule, at: "ids") }
      return id
    }
  }
}
