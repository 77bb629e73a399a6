/// The elements of an array, in its order.
package struct JSONElements: Sequence, Sendable {
  let tape: JSONTape
  let index: Int

  package func makeIterator() -> Iterator {
    Iterator(tape: tape, index: index + 1, end: tape.index(after: index))
  }

  package var isEmpty: Bool { tape.words[index].length == 1 }

  /// The number of elements. Every call counts them in one pass.
  package var count: Int { reduce(0) { count, _ in count + 1 } }

  package struct Iterator: IteratorProtocol, Sendable {
    fileprivate let tape: JSONTape
    fileprivate var index: Int
    fileprivate let end: Int

    package mutating func next() -> JSONValue? {
      guard index < end else { return nil }
      defer { index = tape.index(after: index) }
      return JSONValue(tape: tape, index: index)
    }
  }
}
