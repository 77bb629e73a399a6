// Feeds the reader with what libFuzzer makes up, and traps where what was read is not the same after
// it was written and read again. At the project's top:
//
//   swiftc -O -use-ld=lld -sanitize=fuzzer,address -parse-as-library -package-name goals \
//     -module-name JSONFuzzer Sources/JSON/*.swift Tests/Fuzz/JSONFuzzer.swift -o /tmp/json-fuzzer
//   SWIFT_BACKTRACE=enable=no /tmp/json-fuzzer -max_total_time=600 -max_len=4096

/// Any bytes are read or refused. What was read can be walked with every accessor, and is the same
/// document after it was written and read again.
@_cdecl("LLVMFuzzerTestOneInput")
func fuzzJSON(_ data: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: data, count: count))
  do throws(JSONError) {
    let document = try JSONDocument(parsing: bytes)
    var walk = Walk()
    walk.visit(document.root, at: .root)
    let once = rewritten(document.root)
    let twice = rewritten(try JSONDocument(parsing: once).root)
    check(once == twice, "a document is not what it was after writing and reading it")
    var again = Walk()
    again.visit(try JSONDocument(parsing: once).root, at: .root)
    check(walk == again, "a document says something else after writing and reading it")
    check(2 * walk.entries <= count + 1, "a document has more values than its bytes allow")
  } catch {
    // What was written must be readable, so only the input may be refused.
    check((0...count).contains(error.offset), "a fault lies outside of the document")
    check(!error.description.isEmpty, "a fault has no description")
    check((try? JSONDocument(parsing: bytes)) == nil, "what was written cannot be read")
  }
  return 0
}

private func rewritten(_ value: JSONValue) -> [UInt8] {
  var json = JSONWriter(reserving: 0)
  json.value(value)
  return json.bytes
}

private func check(_ condition: Bool, _ claim: StaticString) {
  if !condition { fatalError("\(claim)") }
}

/// What a document says, summed up.
private struct Walk: Equatable {
  var entries = 0
  var depth = 0
  var content: [Int] = []

  mutating func visit(_ value: JSONValue, at place: JSONPointer) {
    entries += 1
    depth += 1
    defer { depth -= 1 }
    check(depth <= JSONDocument.maximumDepth + 1, "a document is too deep")
    let kinds = [
      value.isNull, value.bool != nil, value.number != nil, value.string != nil,
      value.elements != nil, value.members != nil,
    ]
    check(kinds.filter { $0 }.count == 1, "a value is of no kind, or of several")
    content.append(kinds.firstIndex(of: true) ?? 0)
    if let bool = value.bool { content.append(bool ? 1 : 0) }
    if let number = value.number { visit(number) }
    if let string = value.string { visit(string) }
    if let elements = value.elements { visit(elements, at: place) }
    if let members = value.members { visit(members, at: place) }
  }

  private mutating func visit(_ number: JSONNumber) {
    content.append(number.text.utf8.count)
    guard let integer = number.integer else { return }
    content.append(Int(integer))
    // A Double of this size is exact.
    guard integer.magnitude < 1 << 53 else { return }
    check(Double(number.text) == Double(integer), "a whole number is another for Swift")
  }

  private mutating func visit(_ string: JSONString) {
    let isValid = string.withUTF8 { utf8 in
      content += utf8.map(Int.init)
      return String(validating: utf8, as: UTF8.self) != nil
    }
    check(isValid, "a string is not UTF-8")
    check(string == string, "a string differs from itself")
    content.append(string == "id" ? 1 : 0)
    content.append(String(string).utf8.count)
  }

  private mutating func visit(_ elements: JSONElements, at place: JSONPointer) {
    var count = 0
    for element in elements {
      visit(element, at: place[count])
      count += 1
    }
    check(count == elements.count && elements.isEmpty == (count == 0), "an array counts wrongly")
    content.append(count)
  }

  private mutating func visit(_ members: JSONMembers, at place: JSONPointer) {
    var names: Set<JSONString> = []
    var texts: Set<[UInt8]> = []
    var count = 0
    for (name, value) in members {
      entries += 1
      visit(name)
      let inner = place[String(name)]
      check(!inner.description.isEmpty, "a pointer says nothing")
      visit(value, at: inner)
      let isNew = names.insert(name).inserted
      check(isNew == texts.insert(name.withUTF8(Array.init)).inserted, "names repeat wrongly")
      count += 1
    }
    check(count == members.count && members.isEmpty == (count == 0), "an object counts wrongly")
    content.append(count)
  }
}
