import GoalsCore
import HTTPServer
import TestSupport
import Testing

@testable import GoalsService

@Suite("The connections of an account") struct SeatsTests {
  private let account = Account.ID(high: 1, low: 1)
  private let other = Account.ID(high: 1, low: 2)

  @Test("are as many as they may be and some that are ending, and each is counted once")
  func bounded() {
    let seats = Seats(maximum: 3)
    let visitors = (0..<3).map { _ in Visitor(.unix) }
    for visitor in visitors + visitors { #expect(seats.seat(visitor, of: account)) }
    #expect(seats.count(of: account) == 3)
    // None of these ends yet, so each stays counted.
    let more = (0..<Seats.mostEnding).map { _ in Visitor(.unix) }
    for visitor in more { #expect(seats.seat(visitor, of: account)) }
    #expect(seats.count(of: account) == 3 + Seats.mostEnding)
    let late = Visitor(.unix)
    #expect(!seats.seat(late, of: account))
    #expect(late.seat == nil)
    #expect(seats.count(of: account) == 3 + Seats.mostEnding)
    // A connection that has its place keeps it, and another account has places of its own.
    #expect(seats.seat(more[0], of: account))
    #expect(seats.seat(late, of: other))
    #expect(seats.count(of: other) == 1)
    // Those that came first are ending, and make room as they end.
    visitors[0].seat = nil
    #expect(seats.seat(late, of: account))
    #expect(seats.count(of: other) == 0)
    // Nothing is left of those that are gone.
    for visitor in visitors + more + [late] { visitor.seat = nil }
    #expect(seats.count(of: account) == 0)
  }

  @Test("count until their request is answered, also where the client has gone")
  func abandoned() async throws {
    let service = try TestService()
    let seats = service.gateway.gatekeeper.seats
    let me = try #require(Account.ID(service.me.id))
    let visitor = Visitor(.unix)
    let request = try TestService.request(
      TestService.bytes(of: "GET /v1/goals", token: service.me.token, type: nil))
    guard case .accept(_, let respond) = service.gateway.handler.admit(request.head, visitor)
    else { return #expect(Bool(false), "it is let in") }
    let (answers, sink) = AsyncStream.makeStream(of: Int.self)
    do {
      let responder = Responder(seat: visitor.seat) { reply in
        if case .whole = reply { sink.yield(seats.count(of: me)) }
      }
      visitor.seat = nil
      #expect(seats.count(of: me) == 1)
      respond(request, responder)
    }
    var replies = answers.makeAsyncIterator()
    #expect(await replies.next() != nil)
    await until { seats.count(of: me) == 0 }
  }

  @Test("are those by which it asked last, also behind a proxy, where others ask by the same")
  func moves() {
    let seats = Seats(maximum: 3)
    let visitor = Visitor(.unix)
    for _ in 1...3 {
      #expect(seats.seat(visitor, of: account))
      #expect(seats.count(of: account) == 1)
      #expect(seats.count(of: other) == 0)
      #expect(seats.seat(visitor, of: other))
      #expect(seats.count(of: account) == 0)
      #expect(seats.count(of: other) == 1)
    }
  }

  @Test("are counted of tokens and of sessions alike, and of nobody whom nothing is opened to")
  func counted() async throws {
    let service = try TestService()
    let cookie = try await service.signIn()
    let seats = service.gateway.gatekeeper.seats
    let me = try #require(Account.ID(service.me.id))
    func ask(_ text: String, as token: String?, by visitor: Visitor) throws {
      let request = try TestService.request(TestService.bytes(of: text, token: token, type: nil))
      _ = service.gateway.handler.admit(request.head, visitor)
    }
    let visitors = (0..<4).map { _ in Visitor(.unix) }
    try ask("GET /v1/goals", as: service.me.token, by: visitors[0])
    try ask("GET /v1/goals\nCookie: \(cookie)", as: nil, by: visitors[1])
    try ask("GET /v1/goals", as: "goals_x", by: visitors[2])
    try ask("GET /healthz", as: service.me.token, by: visitors[3])
    // A visitor that nobody holds has gone.
    withExtendedLifetime(visitors) { #expect(seats.count(of: me) == 2) }
  }
}
