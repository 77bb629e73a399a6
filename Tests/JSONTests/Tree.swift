import JSON

/// A value taken out of its document. Numbers are kept as they were written.
indirect enum Tree: Equatable {
  case null
  case bool(Bool)
  case number(String)
  case string([UInt8])
  case array([Tree])
  case object([Member])

  struct Member: Equatable {
    let name: [UInt8]
    let value: Tree
  }
}

extension Tree {
  /// Uses one accessor for each kind, and asks that all others say nothing.
  init(_ value: JSONValue) {
    switch value.kind {
    case .null:
      self = .null
    case .bool:
      self = value.bool.map(Tree.bool) ?? .null
    case .number:
      self = value.number.map { .number($0.text) } ?? .null
    case .string:
      self = value.string.map { .string($0.withUTF8(Array.init)) } ?? .null
    case .array:
      self = value.elements.map { .array($0.map(Tree.init)) } ?? .null
    case .object:
      let members = value.members.map { members in
        members.map { Member(name: $0.name.withUTF8(Array.init), value: Tree($0.value)) }
      }
      self = members.map(Tree.object) ?? .null
    }
  }
}
