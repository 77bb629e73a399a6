// Feeds the request parser with what libFuzzer makes up, whole and cut in pieces, and traps where
// the two differ or a promise of the parser is broken. At the project's top:
//
//   swiftc -O -use-ld=lld -sanitize=fuzzer,address -parse-as-library -package-name goals \
//     Sources/HTTP/*.swift Tests/Fuzz/HTTPFuzzer.swift -o /tmp/http-fuzzer
//   SWIFT_BACKTRACE=enable=no /tmp/http-fuzzer -max_total_time=600 -max_len=4096

/// The first two bytes choose where the rest is cut.
@_cdecl("LLVMFuzzerTestOneInput")
func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let data = Array(UnsafeBufferPointer(start: start, count: count))
  guard data.count >= 2 else { return 0 }
  let bytes = data.dropFirst(2)
  let cut = bytes.startIndex + (Int(data[0]) << 8 | Int(data[1])) % (bytes.count + 1)
  for limits in [MessageLimits(), narrow] {
    let whole = reading([bytes], limits)
    precondition(whole == reading([bytes[..<cut], bytes[cut...]], limits), "cut in two")
    precondition(whole == reading(bytes.indices.map { bytes[$0...$0] }, limits), "byte by byte")
    for case .request(let request) in whole { check(request, limits) }
    // Every head comes again.
    let twice = reading([bytes + bytes], limits)
    precondition(twice.starts(with: whole.dropLast()), "twice")
    let middle = bytes.endIndex
    precondition(
      twice == reading([(bytes + bytes)[..<middle], (bytes + bytes)[middle...]], limits),
      "twice, cut in the middle")
  }
  return 0
}

private let narrow: MessageLimits = {
  var limits = MessageLimits()
  limits.requestLine = 32
  limits.headerBytes = 64
  limits.headerFields = 4
  limits.body = 16
  return limits
}()

private enum Outcome: Equatable {
  case request(Request)
  case refused(Refusal)
  case incomplete
}

private func reading(_ pieces: [ArraySlice<UInt8>], _ limits: MessageLimits) -> [Outcome] {
  var parser = RequestParser(limits: limits)
  var outcomes: [Outcome] = []
  var request: Request?
  for piece in pieces {
    let input = Array(piece)
    var cursor = 0
    reading: while true {
      switch parser.next(input, from: &cursor) {
      case .needsInput:
        precondition(cursor == input.count, "input is left")
        break reading
      case .head(let head): request = Request(head)
      case .body(let bytes):
        precondition(!bytes.isEmpty, "an empty piece")
        request?.body += bytes
      case .end:
        if let request { outcomes.append(.request(request)) }
        request = nil
      case .refused(let refusal): return outcomes + [.refused(refusal)]
      }
    }
  }
  return parser.hasBegun ? outcomes + [.incomplete] : outcomes
}

private func check(_ request: Request, _ limits: MessageLimits) {
  let head = request.head
  precondition(request.body.count <= limits.body, "a body past its limit")
  precondition(head.fields.all.count <= limits.headerFields, "fields past their limit")
  precondition(head.target.text.utf8.count <= limits.requestLine, "a line past its limit")
  precondition(head.version == .http10 || head.fields.values(.host).count == 1, "no single host")
  for segment in head.segments {
    precondition(segment != "." && segment != "..", "a dot segment")
    precondition(!segment.utf8.contains { $0 == 0 || $0 == 0x2F || $0 == 0x5C }, "a slash")
  }
  if case .length(let length) = head.framing { precondition(length == request.body.count) }
  _ = router.match(head)

  // Whatever was received can be sent back without an end of its line.
  var fields = head.fields
  for item in head.query {
    fields.append(FieldName(item.name) ?? "X", item.value)
  }
  let encoder = ResponseEncoder(method: head.method, version: head.version, keepsAlive: true)
  let sent = encoder.whole(Response(.ok, fields: fields), date: "now").first
  let kept = fields.all.filter {
    ![.date, .connection, .contentLength, .transferEncoding].contains($0.name)
  }
  let own = head.version == .http10 ? 4 : 3
  precondition(
    sent.count { $0 == 0x0A } == kept.count + own + 1
      && sent.count { $0 == 0x0D } == kept.count + own + 1,
    "a split response")
}

private let router = Router<Int>([
  (.get, "/", 0), (.get, "/a/{b}", 1), (.post, "/a/b", 2), (.get, "/a/b/{c}/d", 3),
])
