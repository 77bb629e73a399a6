import GoalsCore
import HTTPServer
import Testing

@testable import GoalsService

@Suite("The connections of an account") struct SeatsTests {
  private let account = Account.ID(high: 1, low: 1)
  private let other = Account.ID(high: 1, low: 2)

  @Test("are as many as they may be, and each is counted once")
  func bounded() {
    let seats = Seats(maximum: 3)
    let visitors = (0..<3).map { _ in Visitor(.unix) }
    for visitor in visitors + visitors { seats.seat(visitor, of: account) }
    #expect(seats.count(of: account) == 3)
    let more = (0..<10).map { _ in Visitor(.unix) }
    for visitor in more { seats.seat(visitor, of: account) }
    #expect(seats.count(of: account) == 3)
    #expect(seats.count(of: other) == 0)
    // Nothing is left of those that are gone.
    for visitor in visitors + more { visitor.seat = nil }
    #expect(seats.count(of: account) == 0)
  }

  @Test("are those by which it asked last, also behind a proxy, where others ask by the same")
  func moves() {
    let seats = Seats(maximum: 3)
    let visitor = Visitor(.unix)
    for _ in 1...3 {
      seats.seat(visitor, of: account)
      #expect(seats.count(of: account) == 1)
      #expect(seats.count(of: other) == 0)
      seats.seat(visitor, of: other)
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
    #expect(seats.count(of: me) == 2)
  }
}
