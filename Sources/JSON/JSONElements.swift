/// The elements of an array, in its order.
package struct JSONElements: Sequence, Sendable {
  let tape: JSONTape
  let index: Int

  package func makeIterator() -> Iterator {
    Iterator(tape: tape, place: index + 1, end: tape.index(after: index))
  }

  package var isEmpty: Bool { tape.entries[index].length == 1 }

  /// The number of elements. Every call counts them in one pass.
  package var count: Int { reduce(0) { count, _ in count + 1 } }

  package struct Iterator: IteratorProtocol, Sendable {
    fileprivate let tape: JSONTape
    fileprivate var place: Int
    fileprivate let end: Int

    package mutating func next() -> JSONValue? {
      guard place < end else { return nil }
      defer { place = tape.index(after: place) }
      return JSONValue(tape: tape, index: place)
    }
  }
}
