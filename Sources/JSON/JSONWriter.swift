/// Appends JSON text (RFC 8259) to bytes that it owns.
///
///     var json = JSONWriter()
///     json.object { json in
///       json.member("version", 41)
///       json.array("goals") { json in
///         for goal in goals { json.value(goal) }
///       }
///     }
///
/// The writer puts the commas and the escapes. A type becomes a value by conforming to
/// `JSONWritable`. The caller has to write only members inside an object, and only values
/// elsewhere.
package struct JSONWriter: ~Copyable {
  var output: JSONOutput

  /// Whether a value was written at this level, so that the next one needs a comma.
  var isBehindValue = false

  package init(reserving capacity: Int = 256) {
    output = JSONOutput(capacity: capacity)
  }

  /// The text that `body` writes.
  ///
  /// In WebAssembly the compiler can end a writer only in the module that declares it, so code that
  /// runs there as well has no writer of its own.
  package static func bytes<Failure: Error>(
    reserving capacity: Int = 256, _ body: (inout JSONWriter) throws(Failure) -> Void
  ) throws(Failure) -> [UInt8] {
    var json = JSONWriter(reserving: capacity)
    try body(&json)
    return json.bytes
  }

  /// A copy of the text written so far.
  package var bytes: [UInt8] { output.bytes }

  /// Forgets the text and keeps the memory.
  package mutating func removeAll() {
    output.removeAll()
    isBehindValue = false
  }

  /// Ends a line, so that another document may follow (application/x-ndjson).
  package mutating func endLine() {
    output.append(.lineFeed)
    isBehindValue = false
  }
}

extension JSONWriter {
  package mutating func value(_ value: some JSONWritable) {
    value.write(to: &self)
  }

  package mutating func object<Failure: Error>(
    _ members: (inout JSONWriter) throws(Failure) -> Void
  ) throws(Failure) {
    open(UInt8(ascii: "{"))
    try members(&self)
    close(UInt8(ascii: "}"))
  }

  package mutating func array<Failure: Error>(
    _ elements: (inout JSONWriter) throws(Failure) -> Void
  ) throws(Failure) {
    open(UInt8(ascii: "["))
    try elements(&self)
    close(UInt8(ascii: "]"))
  }

  package mutating func null() { literal("null") }

  /// A string; `utf8` has to be valid UTF-8, as that of a `String` or `JSONString` is.
  package mutating func string(utf8: UnsafeRawBufferPointer) {
    if Self.needsEscapes(utf8) {
      beginValue()
      appendEscaped(utf8)
    } else {
      output.appendQuoted(utf8, behindComma: isBehindValue)
      isBehindValue = true
    }
  }

  /// A string of `count` bytes without escapes, which `write` writes into the room: an id, an
  /// instant, a day.
  package mutating func plainString(
    count: Int, _ write: (UnsafeMutableRawBufferPointer) -> Void
  ) {
    output.appendQuoted(count: count, behindComma: isBehindValue) { room in
      write(room)
      assert(!Self.needsEscapes(UnsafeRawBufferPointer(room)), "a plain string with escapes")
    }
    isBehindValue = true
  }

  /// Text that is JSON already: exactly one value.
  package mutating func raw(_ text: some Sequence<UInt8>) {
    beginValue()
    let isWritten: Void? = text.withContiguousStorageIfAvailable { bytes in
      output.append(UnsafeRawBufferPointer(bytes))
    }
    if isWritten == nil { for byte in text { output.append(byte) } }
  }
}

/// Members of the object that is open. A `StaticString` is a name that needs no escapes.
extension JSONWriter {
  package mutating func member(_ name: StaticString, _ value: some JSONWritable) {
    self.name(name)
    value.write(to: &self)
  }

  /// A member whose value `body` writes.
  package mutating func member<Failure: Error>(
    _ name: StaticString, _ body: (inout JSONWriter) throws(Failure) -> Void
  ) throws(Failure) {
    self.name(name)
    try body(&self)
  }

  package mutating func object<Failure: Error>(
    _ name: StaticString, _ members: (inout JSONWriter) throws(Failure) -> Void
  ) throws(Failure) {
    self.name(name)
    try object(members)
  }

  package mutating func array<Failure: Error>(
    _ name: StaticString, _ elements: (inout JSONWriter) throws(Failure) -> Void
  ) throws(Failure) {
    self.name(name)
    try array(elements)
  }

  /// A member whose name is not a constant; `name` is written as a string.
  package mutating func member(named name: some JSONWritable, _ value: some JSONWritable) {
    name.write(to: &self)
    endName()
    value.write(to: &self)
  }
}

// MARK: Tokens

extension JSONWriter {
  mutating func bool(_ value: Bool) { literal(value ? "true" : "false") }

  mutating func string(_ text: String) {
    text.utf8.span.withUnsafeBytes { utf8 in string(utf8: utf8) }
  }

  mutating func integer(_ value: Int64) {
    beginValue()
    if value < 0 { output.append(.minus) }
    digits(value.magnitude)
  }

  private mutating func digits(_ value: UInt64) {
    var unit: UInt64 = 1
    while value / unit > 9 { unit *= 10 }
    while unit > 0 {
      output.append(.zero + UInt8(truncatingIfNeeded: value / unit % 10))
      unit /= 10
    }
  }

  private mutating func literal(_ text: StaticString) {
    beginValue()
    text.withUTF8Buffer { utf8 in output.append(UnsafeRawBufferPointer(utf8)) }
  }

  mutating func beginValue() {
    if isBehindValue { output.append(.comma) }
    isBehindValue = true
  }

  mutating func open(_ bracket: UInt8) {
    beginValue()
    output.append(bracket)
    isBehindValue = false
  }

  mutating func close(_ bracket: UInt8) {
    output.append(bracket)
    isBehindValue = true
  }

  mutating func name(_ name: StaticString) {
    name.withUTF8Buffer { name in
      let utf8 = UnsafeRawBufferPointer(name)
      assert(!Self.needsEscapes(utf8), "a name with escapes")
      output.appendQuoted(utf8, behindComma: isBehindValue)
    }
    endName()
  }

  mutating func endName() {
    output.append(.colon)
    isBehindValue = false
  }
}
