import Foundation
import JSON
import TestSupport

extension Harness {
  /// Any bytes are read or refused. A document that was read can be walked with every accessor. It
  /// is the same after it was written and read again, and the same to Foundation, where Foundation
  /// takes it.
  static let json = Harness(name: "json") { bytes in
    let document: JSONDocument
    do throws(JSONError) {
      document = try JSONDocument(parsing: bytes)
    } catch {
      try claim((0...bytes.count).contains(error.offset), "a fault lies outside of the document")
      try claim(!error.description.isEmpty, "a fault has no description")
      return
    }
    var walk = Walk()
    try walk.visit(document.root, at: .root)
    let once = rewritten(document.root)
    let again = try JSONDocument(parsing: once).root
    try claim(once == rewritten(again), "a document is another after writing and reading it")
    var second = Walk()
    try second.visit(again, at: .root)
    try claim(walk == second, "a document says something else after writing and reading it")
    try claim(2 * walk.entries <= bytes.count + 1, "more values than the bytes allow")
    let foreign = try? JSONSerialization.jsonObject(
      with: Data(bytes), options: .fragmentsAllowed)
    guard let foreign, isUnambiguous(document.root) else { return }
    try claim(agree(document.root, foreign), "a document says something else to Foundation")
  }
}

private func rewritten(_ value: JSONValue) -> [UInt8] {
  var json = JSONWriter(reserving: 0)
  json.value(value)
  return json.bytes
}

/// What a document says, summed up.
private struct Walk: Equatable {
  var entries = 0
  var depth = 0
  var content: [Int] = []

  mutating func visit(_ value: JSONValue, at place: JSONPointer) throws(Broken) {
    entries += 1
    depth += 1
    defer { depth -= 1 }
    try claim(depth <= JSONDocument.maximumDepth + 1, "a document is too deep")
    let kinds = [
      value.isNull, value.bool != nil, value.number != nil, value.string != nil,
      value.elements != nil, value.members != nil,
    ]
    try claim(kinds.filter { $0 }.count == 1, "a value is of no kind, or of several")
    content.append(kinds.firstIndex(of: true) ?? 0)
    if let bool = value.bool { content.append(bool ? 1 : 0) }
    if let number = value.number { try visit(number) }
    if let string = value.string { try visit(string) }
    if let elements = value.elements { try visit(elements, at: place) }
    if let members = value.members { try visit(members, at: place) }
  }

  private mutating func visit(_ number: JSONNumber) throws(Broken) {
    content.append(number.text.utf8.count)
    guard let integer = number.integer else { return }
    content.append(Int(integer))
    // A Double of this size is exact.
    guard integer.magnitude < 1 << 53 else { return }
    try claim(Double(number.text) == Double(integer), "a whole number is another for Swift")
  }

  private mutating func visit(_ string: JSONString) throws(Broken) {
    let isValid = string.withUTF8 { utf8 in
      content += utf8.map(Int.init)
      return String(validating: utf8, as: UTF8.self) != nil
    }
    try claim(isValid, "a string is not UTF-8")
    try claim(string == string, "a string differs from itself")
    content.append(string == "id" ? 1 : 0)
    content.append(String(string).utf8.count)
  }

  private mutating func visit(_ elements: JSONElements, at place: JSONPointer) throws(Broken) {
    var count = 0
    for element in elements {
      try visit(element, at: place[count])
      count += 1
    }
    try claim(
      count == elements.count && elements.isEmpty == (count == 0), "an array counts wrongly")
    content.append(count)
  }

  private mutating func visit(_ members: JSONMembers, at place: JSONPointer) throws(Broken) {
    var names: Set<JSONString> = []
    var texts: Set<[UInt8]> = []
    var count = 0
    for (name, value) in members {
      entries += 1
      try visit(name)
      let inner = place[String(name)]
      try claim(!inner.description.isEmpty, "a pointer says nothing")
      try visit(value, at: inner)
      let isNew = names.insert(name).inserted
      try claim(isNew == texts.insert(name.withUTF8(Array.init)).inserted, "names repeat wrongly")
      count += 1
    }
    try claim(count == members.count && members.isEmpty == (count == 0), "an object counts wrongly")
    content.append(count)
  }
}
