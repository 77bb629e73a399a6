/// The members of an object, in the order of the text.
///
/// A name may come twice (RFC 8259 §4 only says it should not); both members are here then, and
/// whoever takes the object apart decides. Names compare by what they say, however they were
/// escaped.
package struct JSONMembers: Sequence, Sendable {
  let tape: JSONTape
  let index: Int

  package func makeIterator() -> Iterator {
    Iterator(tape: tape, place: index + 1, end: tape.index(after: index))
  }

  package var isEmpty: Bool { tape.entries[index].length == 1 }

  /// How many there are, counted anew: the time is that of passing over them.
  package var count: Int { reduce(0) { count, _ in count + 1 } }

  package struct Iterator: IteratorProtocol, Sendable {
    fileprivate let tape: JSONTape
    fileprivate var place: Int
    fileprivate let end: Int

    package mutating func next() -> (name: JSONString, value: JSONValue)? {
      guard place < end else { return nil }
      let name = JSONString(tape: tape, index: place)
      let value = JSONValue(tape: tape, index: place + 1)
      place = tape.index(after: place + 1)
      return (name, value)
    }
  }
}
