import HTTP

extension Harness {
  /// A connection's bytes, which the first two of an input choose where to cut.
  ///
  /// However they are cut, the same requests are read; each ends where RFC 9112 §6 says that it
  /// does, told apart by another reader of the framing; and none has more than the limits allow.
  static let requests = Harness(name: "requests") { data in
    guard data.count >= 2 else { return }
    let bytes = data.dropFirst(2)
    let cut = bytes.startIndex + (Int(data[0]) << 8 | Int(data[1])) % (bytes.count + 1)
    for limits in [MessageLimits(), narrow] {
      let whole = try Reading([bytes], limits)
      let pieces = bytes.indices.map { bytes[$0...$0] }
      try claim(try Reading([bytes[..<cut], bytes[cut...]], limits) == whole, "cut in two")
      try claim(try Reading(pieces, limits) == whole, "byte by byte")
      for request in whole.requests { try check(request, limits) }
      try checkEnds(of: whole, in: bytes, limits)
      // Every head comes again.
      let twice = try Reading([bytes + bytes], limits)
      try claim(twice.requests.starts(with: whole.requests), "twice")
      let halves = [(bytes + bytes)[..<bytes.endIndex], (bytes + bytes)[bytes.endIndex...]]
      try claim(try Reading(halves, limits) == twice, "twice, cut in the middle")
    }
  }
}

private let narrow: MessageLimits = {
  var limits = MessageLimits()
  limits.requestLine = 32
  limits.headerBytes = 64
  limits.headerFields = 4
  limits.body = 16
  return limits
}()

/// What a parser makes of pieces of a connection's bytes.
private struct Reading: Equatable {
  enum End: Equatable {
    case whole
    case incomplete
    case refused(Refusal)
  }

  private(set) var requests: [Request] = []
  /// After how many bytes each request ends.
  private(set) var ends: [Int] = []
  private(set) var end = End.whole

  init(_ pieces: [ArraySlice<UInt8>], _ limits: MessageLimits) throws(Broken) {
    var parser = RequestParser(limits: limits)
    var request: Request?
    var appended = 0
    for piece in pieces {
      parser.append(piece)
      appended += piece.count
      reading: while true {
        switch parser.next() {
        case .needsInput:
          // Of a line that is not complete.
          let longest = max(limits.requestLine, limits.headerBytes, 256) + 1
          try claim(parser.unreadBytes <= longest, "input is left")
          break reading
        case .head(let head): request = Request(head)
        case .body(let bytes):
          try claim(!bytes.isEmpty, "an empty piece")
          request?.body += bytes
        case .end:
          if let request { requests.append(request) }
          ends.append(appended - parser.unreadBytes)
          request = nil
        case .refused(let refusal):
          end = .refused(refusal)
          return
        }
      }
    }
    if parser.hasBegun { end = .incomplete }
  }
}

/// Every request ends where its framing says, and what follows is read as if nothing had come
/// before.
private func checkEnds(
  of reading: Reading, in bytes: ArraySlice<UInt8>, _ limits: MessageLimits
) throws(Broken) {
  var start = 0
  for (request, end) in zip(reading.requests, reading.ends) {
    let text = Array(bytes.dropFirst(start).prefix(end - start))
    guard let framed = FramedText(text) else {
      throw Broken(description: "a request that has no framing")
    }
    try claim(framed.count == text.count, "a request ends elsewhere than its framing says")
    try claim(framed.body == request.body, "a body is not what its framing says")
    start = end
  }
  guard let last = reading.ends.last else { return }
  let rest = try Reading([bytes.dropFirst(last)], limits)
  try claim(rest.requests.isEmpty && rest.end == reading.end, "read otherwise by itself")
}

private func check(_ request: Request, _ limits: MessageLimits) throws(Broken) {
  let head = request.head
  try claim(request.body.count <= limits.body, "a body past its limit")
  try claim(head.fields.all.count <= limits.headerFields, "fields past their limit")
  try claim(head.target.text.utf8.count <= limits.requestLine, "a line past its limit")
  let isOld = head.version == .http10
  try claim(isOld || head.fields.values(.host).count == 1, "no single host")
  for segment in head.segments {
    try claim(segment != "." && segment != "..", "a dot segment")
    try claim(!segment.utf8.contains { $0 == 0 || $0 == 0x2F || $0 == 0x5C }, "a slash")
  }
  if case .length(let length) = head.framing {
    try claim(length == request.body.count, "another length")
  }
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
  let lines = kept.count + (isOld ? 4 : 3) + 1
  try claim(
    sent.count { $0 == 0x0A } == lines && sent.count { $0 == 0x0D } == lines, "a split response")
}

private let router = Router([
  (.get, "/"), (.get, "/a/{b}"), (.post, "/a/b"), (.get, "/a/b/{c}/d"),
])
