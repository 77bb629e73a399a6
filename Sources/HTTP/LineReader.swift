/// Gathers one line, which ends with CR LF and nothing else.
///
/// RFC 9112 §2.2 lets a server take a lone LF for a line end and asks it to refuse a lone CR. Here
/// both are refused, with NUL and every other control character: where two readers of one byte
/// stream may disagree about its lines, requests can be smuggled.
struct LineReader: Sendable {
  private var partial: [UInt8] = []
  private var length = 0
  private var endsWithCR = false

  /// Whether a line has been begun.
  var hasBegun: Bool { length > 0 || endsWithCR }

  /// The next line without its end, or nil when all the input was read before it was complete.
  /// What was read of it is kept.
  ///
  /// - Parameter limit: of the line's bytes without its end; `tooLong` is thrown at the first past it.
  mutating func next(
    _ input: [UInt8], from cursor: inout Int, limit: Int, tooLong: Refusal
  ) throws(Refusal) -> ArraySlice<UInt8>? {
    let start = cursor
    var index = start
    defer { cursor = index }
    while index < input.count {
      let byte = input[index]
      index += 1
      if endsWithCR {
        guard byte == ASCII.lineFeed else {
          throw .malformedRequest("A carriage return is not followed by a line feed.")
        }
        return line(input[start..<max(start, index - 2)])
      } else if byte == ASCII.carriageReturn {
        endsWithCR = true
      } else {
        guard byte != ASCII.lineFeed else {
          throw .malformedRequest("A line ends with a line feed alone.")
        }
        guard !ASCII.isControl(byte) else {
          throw .malformedRequest("The request holds a control character.")
        }
        length += 1
        guard length <= limit else { throw tooLong }
      }
    }
    partial.append(contentsOf: input[start..<(endsWithCR ? max(start, index - 1) : index)])
    return nil
  }

  private mutating func line(_ last: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    length = 0
    endsWithCR = false
    guard !partial.isEmpty else { return last }
    partial.append(contentsOf: last)
    defer { partial = [] }
    return partial[...]
  }
}
