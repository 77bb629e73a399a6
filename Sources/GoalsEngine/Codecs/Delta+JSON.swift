import GoalsCore
import GoalsReplica
import GoalsWire
import JSON

/// The format of what a device keeps: the first member of each line.
let keptFormat = 1

// A line is one JSON object without a line feed within, since JSON escapes those of texts.

extension Replica.Delta: JSONWritable {
  /// The change as a line of JSON, without a line feed at its end.
  public var line: [UInt8] { JSONWriter.bytes { json in json.value(self) } }

  /// Writes the members that say something.
  package func write(to json: inout JSONWriter) {
    json.object { json in
      json.member("format", keptFormat)
      if let restart { json.member("restart", restart) }
      if !recorded.isEmpty {
        json.array("recorded") { json in
          for edit in recorded { json.value(KeptEntry(edit)) }
        }
      }
      if let cursor { json.member("cursor", cursor.text) }
      if more { json.member("more", true) }
      if !own.isEmpty { json.member("own", own) }
      if !forgotten.isEmpty { json.member("forgotten", forgotten.sorted()) }
    }
  }

  /// Reads the output of `write`; nil for anything else.
  init?(_ value: JSONValue) {
    self.init()
    var object = ObjectReader(value)
    guard object.required("format", .integer(keptFormat...keptFormat)) != nil else { return nil }
    if let restart = object.take("restart") {
      guard let identity = Replica.Identity(restart) else { return nil }
      self.restart = identity
    }
    for element in object.take("recorded")?.elements.map({ Array($0) }) ?? [] {
      guard let entry = KeptEntry(element) else { return nil }
      recorded.append(entry.edit)
    }
    cursor = object.optional("cursor", .string).map { Replica.Cursor($0) }
    more = object.optional("more", .flag) ?? false
    for element in object.take("own")?.elements.map({ Array($0) }) ?? [] {
      guard let edit = OwnEdit(element) else { return nil }
      own.append(edit)
    }
    for element in object.take("forgotten")?.elements.map({ Array($0) }) ?? [] {
      guard let id = Reading<Edit.ID>.id().read(element) else { return nil }
      forgotten.insert(id)
    }
    guard object.finish().isEmpty else { return nil }
  }
}

extension Replica.Kept: JSONWritable {
  /// The snapshot as a line of JSON, without a line feed at its end.
  public var line: [UInt8] { JSONWriter.bytes(reserving: 65_536) { json in json.value(self) } }

  package func write(to json: inout JSONWriter) {
    json.object { json in
      json.member("format", keptFormat)
      json.member("identity", identity)
      json.member("state", state)
      json.member("cursor", cursor?.text)
      if cursor != nil, !isWhole { json.member("more", true) }
      json.member("own", own.all)
    }
  }

  /// Reads the output of `write`; nil for anything else.
  init?(_ value: JSONValue) {
    var object = ObjectReader(value)
    guard object.required("format", .integer(keptFormat...keptFormat)) != nil,
      let identity = object.take("identity"), let state = object.take("state"),
      let cursor = object.required("cursor", Reading.string.orNull),
      let elements = object.take("own")?.elements,
      case let more = object.optional("more", .flag) ?? false, object.finish().isEmpty,
      let state = AccountState(state)
    else { return nil }
    var own = OwnEdits()
    for element in elements {
      guard let edit = OwnEdit(element) else { return nil }
      own.put(edit)
    }
    var known: Replica.Identity?
    if !identity.isNull {
      guard let read = Replica.Identity(identity) else { return nil }
      known = read
    }
    self.init(
      identity: known, state: state, cursor: cursor.map { Replica.Cursor($0) }, own: own,
      isWhole: cursor != nil && !more)
  }
}
