/// A value in a document: a view that costs no allocation and keeps the document alive.
package struct JSONValue: Sendable {
  package enum Kind: Hashable, Sendable, CaseIterable {
    case null, bool, number, string, array, object
  }

  let tape: JSONTape
  let index: Int

  package var kind: Kind {
    switch tape.firstByte(at: index) {
    case .quote: .string
    case .openingBrace: .object
    case .openingBracket: .array
    case UInt8(ascii: "n"): .null
    case UInt8(ascii: "t"), UInt8(ascii: "f"): .bool
    // NB: open, every other byte
    default: .number
    }
  }

  package var isNull: Bool { kind == .null }

  /// The truth value; nil for any other kind.
  package var bool: Bool? {
    kind == .bool ? tape.firstByte(at: index) == UInt8(ascii: "t") : nil
  }

  /// The number; nil for any other kind.
  package var number: JSONNumber? {
    kind == .number ? JSONNumber(tape: tape, index: index) : nil
  }

  /// The string; nil for any other kind.
  package var string: JSONString? {
    kind == .string ? JSONString(tape: tape, index: index) : nil
  }

  /// The elements of the array, in its order; nil for any other kind.
  package var elements: JSONElements? {
    kind == .array ? JSONElements(tape: tape, index: index) : nil
  }

  /// The object's members, in the order of the text; nil for any other kind.
  package var members: JSONMembers? {
    kind == .object ? JSONMembers(tape: tape, index: index) : nil
  }
}
