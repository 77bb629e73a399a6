/// The members of an object, which a caller takes out one after another by their names.
///
/// It holds the document once, and of each member only the index on the tape. An array of names and
/// values would count references to the document at every look: 27,000 instructions for the fields
/// of a recorded bump, instead of 5,000.
package struct JSONFields: Sendable {
  private let tape: JSONTape
  /// The indices on the tape of the remaining members' names, in the order of the text.
  private var indices: ContiguousArray<UInt32> = []

  /// Looks at `limit` members at most.
  package init(_ members: JSONMembers, atMost limit: Int) {
    tape = members.tape
    let end = tape.index(after: members.index)
    var index = members.index + 1
    indices.reserveCapacity(min(limit, (end - index) / 2))
    while index < end, indices.count < limit {
      indices.append(UInt32(truncatingIfNeeded: index))
      index = tape.index(after: index + 1)
    }
  }

  /// How many members remain.
  package var count: Int { indices.count }

  /// The names of the remaining members, in the order of the text.
  package var names: [JSONString] {
    indices.map { JSONString(tape: tape, index: Int($0)) }
  }

  /// Whether a name has more than `limit` bytes, with the escapes as they are written.
  package func hasName(longerThan limit: Int) -> Bool {
    indices.contains { tape.words[Int($0)].length > limit }
  }

  /// The value of the first member with this name, which stays; nil where there is none.
  package subscript(name: StaticString) -> JSONValue? {
    firstIndex(of: name, from: 0).map { value(at: $0) }
  }

  /// Takes out every member with this name. Returns the value of the first, and how often the name
  /// comes again; nil where there is none.
  package mutating func take(_ name: StaticString) -> (value: JSONValue, repeats: Int)? {
    guard var index = firstIndex(of: name, from: 0) else { return nil }
    let value = value(at: index)
    var repeats = 0
    indices.remove(at: index)
    while let again = firstIndex(of: name, from: index) {
      indices.remove(at: again)
      repeats += 1
      index = again
    }
    return (value, repeats)
  }

  package mutating func removeAll() { indices = [] }

  private func value(at index: Int) -> JSONValue {
    JSONValue(tape: tape, index: Int(indices[index]) + 1)
  }

  private func firstIndex(of name: StaticString, from start: Int) -> Int? {
    var index = start
    while index < indices.count {
      if tape.string(at: Int(indices[index]), says: name) { return index }
      index += 1
    }
    return nil
  }
}
