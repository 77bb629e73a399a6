import GoalsCore
import GoalsWire
import JSON
import TestSupport

// What tests write down as JSON text, and read of it.

/// An object of members that are JSON text already.
func object(_ members: [(name: String, value: String)]) -> String {
  "{" + members.map { "\"\($0.name)\":\($0.value)" }.joined(separator: ",") + "}"
}

func quoted(_ text: String) -> String { "\"\(text)\"" }

func parsed(_ text: String) throws -> JSONValue {
  try JSONDocument(parsing: Array(text.utf8)).root
}

/// The text of what is written.
func text(of value: some JSONWritable) -> String {
  var json = JSONWriter()
  json.value(value)
  return String(decoding: json.bytes, as: UTF8.self)
}

/// Reads one edit. A goal that is added without an id is given the id of 99.
func proposal(_ text: String) throws -> Proposal {
  ProposalReader { .of(99) }.read(try parsed(text))
}

/// Everything that is wrong with an edit; nothing where it is valid.
func faults(of text: String) throws -> [Fault] {
  guard case .refused(let rejection, _, _) = try proposal(text) else { return [] }
  return rejection.faults
}

extension Proposal {
  var edit: Edit? {
    if case .edit(let proposed) = self { proposed.edit } else { nil }
  }

  var rejection: Rejection? {
    if case .refused(let rejection, _, _) = self { rejection } else { nil }
  }
}

extension Validated {
  var value: Value? {
    if case .valid(let value) = self { value } else { nil }
  }

  var faults: [Fault] {
    if case .invalid(let faults) = self { faults } else { [] }
  }
}

extension Fault {
  /// In tests a fault is written as its pointer and detail.
  init(_ pointer: String, _ detail: String) { self.init(pointer: pointer, detail: detail) }
}
