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

  /// Whether the line that is being read begins so, together with what comes of it in this input.
  func begin(with start: [UInt8], _ input: [UInt8], from cursor: Int) -> Bool {
    let read = partial.prefix(start.count)
    return start.starts(with: read)
      && input[cursor...].starts(with: start.dropFirst(read.count))
  }

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
      if endsWithCR {
        guard input[index] == ASCII.lineFeed else {
          throw .malformedRequest("A carriage return is not followed by a line feed.")
        }
        index += 1
        return line(input[start..<max(start, index - 2)])
      }
      let end = input.withUnsafeBufferPointer { ASCII.firstControl($0, from: index) }
      length += end - index
      guard length <= limit else { throw tooLong }
      index = end
      guard end < input.count else { break }
      switch input[end] {
      case ASCII.carriageReturn: endsWithCR = true
      case ASCII.lineFeed: throw .malformedRequest("A line ends with a line feed alone.")
      default: throw .malformedRequest("The request holds a control character.")
      }
      index += 1
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
