/// The members of an object, in the order of the text.
///
/// A name may come twice (RFC 8259 §4 only says it should not). Then both members are here, and the
/// caller decides. Names compare by their characters, however they were escaped.
package struct JSONMembers: Sequence, Sendable {
  let tape: JSONTape
  let index: Int

  package func makeIterator() -> Iterator {
    Iterator(tape: tape, index: index + 1, end: tape.index(after: index))
  }

  package var isEmpty: Bool { tape.words[index].length == 1 }

  /// The number of members. Every call counts them in one pass.
  package var count: Int { reduce(0) { count, _ in count + 1 } }

  package struct Iterator: IteratorProtocol, Sendable {
    fileprivate let tape: JSONTape
    fileprivate var index: Int
    fileprivate let end: Int

    package mutating func next() -> (name: JSONString, value: JSONValue)? {
      guard index < end else { return nil }
      let name = JSONString(tape: tape, index: index)
      let value = JSONValue(tape: tape, index: index + 1)
      index = tape.index(after: index + 1)
      return (name, value)
    }
  }
}
