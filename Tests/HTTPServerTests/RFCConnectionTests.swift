import Dispatch
import HTTPTestSupport
import TestSupport
import HTTP
import Testing

@testable import HTTPServer

/// Each MUST of RFC 9112 and 9110 that says what a server does with a connection.
@Suite("By the RFCs, a connection") struct RFCConnectionTests {
  private func text(_ request: String) throws -> String {
    var text = ""
    try withServer { address, _ in
      let client = try Client(address)
      client.send(request)
      text = try client.rest()
    }
    return text
  }

  /// RFC 9112 §6.1 and §6.3, of a framing that is faulty: the server "MUST respond with a 400 (Bad
  /// Request) status code and then close the connection." Here that holds for every request that is
  /// refused.
  @Test(
    "is closed after the one answer to a refused request",
    arguments: [
      ("GET / HTTP/1.1\nHost: a\r\n\r\n", 400), ("GET / HTTP/2.0\r\n\r\n", 505),
      ("BREW / HTTP/1.1\r\nHost: a\r\n\r\n", 501), ("GET / HTTP/1.1\r\n\r\n", 400),
      ("GET / HTTP/1.1\r\nHost: a\r\nExpect: x\r\n\r\n", 417),
      ("PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: 1000001\r\n\r\n", 413),
      ("GET /\(String(repeating: "a", count: 9000)) HTTP/1.1\r\nHost: a\r\n\r\n", 414),
      ("GET / HTTP/1.1\r\nX: \(String(repeating: "a", count: 17000))\r\n\r\n", 431),
      ("PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n", 400),
      ("PUT / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked, gzip\r\n\r\n", 400),
      ("PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: 3, 4\r\n\r\n", 400),
    ])
  func refused(request: String, status: Int) throws {
    let text = try text(request + get + get)
    #expect(text.hasPrefix("HTTP/1.1 \(status) "))
    #expect(text.contains("\r\nConnection: close\r\n"))
    #expect(text.components(of: "HTTP/1.1 ") == 1)
  }

  /// RFC 9112 §6.3: "If the sender closes the connection or the recipient times out before the
  /// indicated number of octets are received, the recipient MUST consider the message to be
  /// incomplete and close the connection." RFC 9110 §5.4: "A server MUST NOT apply a request to the
  /// target resource until it receives the entire request header section".
  @Test(
    "brings no request that is not whole to the handler",
    arguments: [
      "PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nfour", "GET / HTTP/1.1\r\nHost: a\r\n",
      "G",
    ])
  func incomplete(request: String) throws {
    let asked = Locked(0)
    let counting = handler(respond: { request, responder in
      asked.change { $0 += 1 }
      responder.send(mirror(request))
    })
    try withServer(counting) { address, _ in
      let client = try Client(address)
      client.send(request)
      client.finish()
      #expect(try client.rest().hasPrefix("HTTP/1.1 400 "))
      #expect(asked.value == 0)
    }
  }

  /// RFC 9112 §9.3: "A server MUST read the entire request message body or close the connection
  /// after sending its response; otherwise, the remaining data on a persistent connection would be
  /// misinterpreted as the next request."
  @Test("never takes a body for a request")
  func body() throws {
    let inner = "GET /inner HTTP/1.1\r\nHost: a\r\n\r\n"
    let post = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: \(inner.utf8.count)\r\n"
    let read = try text(
      "\(post)\r\n\(inner)GET /next HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
    #expect(read.components(of: "HTTP/1.1 200") == 2)
    #expect(!read.contains("GET /inner \r"))
    #expect(read.hasSuffix("GET /next "))
    // One that is not let in is not read.
    let strict = handler(admit: { _, _ in .refuse(Response(.unauthorized)) })
    try withServer(strict) { address, _ in
      let client = try Client(address)
      client.send("\(post)\r\n\(inner)")
      #expect(try client.rest().components(of: "HTTP/1.1 ") == 1)
    }
  }

  /// RFC 9112 §9.3.2: "it MUST send the corresponding responses in the same order that the requests
  /// were received."
  @Test("answers in the order of the requests, whenever the handler does")
  func order() throws {
    let queue = DispatchQueue(label: "handler", attributes: .concurrent)
    let slow = handler(respond: { request, responder in
      queue.async { responder.send(mirror(request)) }
    })
    try withServer(slow) { address, _ in
      let client = try Client(address)
      client.send((0..<200).map { "PUT /\($0) HTTP/1.1\r\nHost: a\r\n\r\n" }.joined())
      for number in 0..<200 { #expect(try client.answer().body == "PUT /\(number) ") }
    }
  }

  /// RFC 9112 §9.6: "A server that receives a "close" connection option MUST initiate closure of
  /// the connection … after it sends the final response to the request that contained the "close"
  /// connection option. … The server MUST NOT process any further requests received on that
  /// connection." So, too, one "that sends a "close" connection option".
  @Test("ends after close, whoever says it, in any case and among other options")
  func close() throws {
    for option in ["close", "Close", "x, CLOSE", ",close,"] {
      let text = try text("GET /1 HTTP/1.1\r\nHost: a\r\nConnection: \(option)\r\n\r\n" + get)
      #expect(text.components(of: "HTTP/1.1 ") == 1)
    }
    let last = handler(respond: { _, responder in
      responder.send(Response(.ok, fields: [.connection: "close"]))
    })
    try withServer(last) { address, _ in
      let client = try Client(address)
      client.send(get + get)
      #expect(try client.rest().components(of: "HTTP/1.1 ") == 1)
    }
  }

  /// RFC 9110 §7.8: "A server MUST ignore an Upgrade header field that is received in an HTTP/1.0
  /// request", and one "MUST NOT switch to a protocol that was not indicated by the client"; this
  /// one switches to none.
  @Test("stays HTTP/1.1 whatever it is asked to become", arguments: ["1.0", "1.1"])
  func upgrade(version: String) throws {
    let text = try text(
      "GET / HTTP/\(version)\r\nHost: a\r\nConnection: upgrade, close\r\nUpgrade: h2c, websocket\r\n\r\n"
    )
    #expect(text.hasPrefix("HTTP/1.1 200 OK\r\n"))
    #expect(!text.contains("Upgrade"))
  }

  /// RFC 9110 §10.1.1: "Upon receiving an HTTP/1.1 (or later) request that has a method, target
  /// URI, and complete header section that contains a 100-continue expectation and indicates that
  /// request content will follow, an origin server MUST send either: an immediate response with a
  /// final status code … or an immediate 100 (Continue) response"; "The origin server MUST NOT wait
  /// for the content before sending the 100 (Continue) response." §15.2: "a server MUST NOT send a
  /// 1xx response to an HTTP/1.0 client."
  @Test("lets a client continue at once, or tells it why not")
  func continuation() throws {
    let head = "PUT / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: "
    try withServer { address, _ in
      let client = try Client(address)
      client.send("\(head)2\r\n\r\n")
      #expect(try client.read(through: "\r\n\r\n") == "HTTP/1.1 100 Continue\r\n\r\n")
      // "A server that sends a 100 (Continue) response MUST ultimately send a final status code".
      #expect(try client.ask("hi").status == 200)
      let large = try Client(address)
      #expect(try large.ask("\(head)1000001\r\n\r\n").status == 413)
      let old = try Client(address)
      old.send("PUT / HTTP/1.0\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\nhi")
      #expect(try old.rest().hasPrefix("HTTP/1.1 200 "))
    }
  }
}
