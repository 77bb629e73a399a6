import Testing

@testable import GoalsClient

@Suite("A stream of events") struct EventStreamTests {
  private func events(_ text: String) -> [EventStream.Event]? {
    var stream = EventStream()
    return stream.take(text.utf8)
  }

  @Test(
    "is read as the specification has it",
    arguments: [
      ("id: 5\nevent: edit\ndata: {}\n\n", [EventStream.Event(type: "edit", id: "5", data: "{}")]),
      ("id:5\rdata:a\r\n\r\n", [EventStream.Event(id: "5", data: "a")]),
      (": hello\n\ndata: a\ndata: b\n\n", [EventStream.Event(data: "a\nb")]),
      ("id: 7\n\n", [EventStream.Event(id: "7")]), ("data\n\n", [EventStream.Event(data: "")]),
      ("retry: 10\n\nevent: x\n\n", []), ("data: not yet\n", []),
    ])
  func grammar(text: String, expected: [EventStream.Event]) {
    #expect(events(text) == expected)
  }

  @Test("is the same in pieces of any length")
  func pieces() throws {
    let text = "id: 5\r\nevent: edit\r\ndata: {\"a\":1}\r\n\r\n: beat\n\nid: 6\ndata: b\n\n"
    let whole = try #require(events(text))
    for size in 1...text.utf8.count {
      var stream = EventStream()
      var found: [EventStream.Event] = []
      var rest = Array(text.utf8)[...]
      while !rest.isEmpty {
        let taken = stream.take(rest.prefix(size))
        found += try #require(taken)
        rest = rest.dropFirst(size)
      }
      #expect(found == whole)
    }
  }

  @Test("has events up to its maximum, and none longer")
  func maximum() {
    var stream = EventStream(maximum: 1000)
    let most = [UInt8](repeating: UInt8(ascii: "a"), count: 1000)
    #expect(stream.take(most) == [])
    #expect(stream.take([UInt8(ascii: "a")]) == nil)
  }
}

extension EventStream.Event {
  fileprivate init(type: String? = nil, id: String? = nil, data: String) {
    self.init(type: type, id: id, data: Array(data.utf8))
  }
}
