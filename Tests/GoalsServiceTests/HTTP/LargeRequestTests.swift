import GoalsCore
import GoalsStore
import HTTP
import HTTPServer
import TestSupport
import Testing

@testable import GoalsService

private let a = TestService.id(1)

@Suite("A request with a large body") struct LargeRequestTests {
  /// So many edits that are wrong, and one that is not.
  private static func batch(padding: Int) -> String {
    let edit = "{\"id\":\"\(TestService.id(200))\",\"type\":\"bump\",\"goal\":\"\(a)\"}"
    let white = String(repeating: " ", count: padding)
    return "POST /v1/edits\n\n{\"edits\":[7,\(edit)]\(white)}"
  }

  private static var large: String { batch(padding: Gateway.largeBody) }

  @Test("is read beside the small ones, which do not wait for it")
  func reading() async throws {
    let service = try TestService()
    try await service.addGoals(1)
    let sent = Locked<[Response]>([])
    service.queues.largeRequests.queue.suspend()
    let request = try TestService.request(Self.large, as: service.me.token)
    service.gateway.handler.respond(to: request, by: responder(into: sent))
    #expect(try await service.ask("POST /v1/goals/\(a)/bump").status == 200)
    // The same edit in a small body overtakes it.
    #expect(try await service.ask(Self.batch(padding: 0))["/version"] == "4")
    #expect(sent.value.isEmpty)
    service.queues.largeRequests.queue.resume()
    await until { !sent.value.isEmpty }
    let answer = try Answer(try #require(sent.value.first), to: .post)
    #expect(answer["/outcomes/1/status"] == "\"duplicate\"")
  }

  @Test("has its answer written there too, not where the writer's others wait")
  func writing() async throws {
    let told = Locked<[@Sendable () -> Void]>([])
    let service = try TestService { store in
      store.with(submit: { sent, answer in
        // The answer is held back until the test gives it out.
        store.submit(sent) { answered in told.change { $0.append { answer(answered) } } }
      })
    }
    let sent = Locked<[Response]>([])
    // On the queue itself, so that what it is asked meanwhile waits.
    try await onQueue(of: service) {
      let request = try TestService.request(Self.large, as: service.me.token)
      service.gateway.handler.respond(to: request, by: responder(into: sent))
    }
    try await onQueue(of: service) {}
    await until { !told.value.isEmpty }
    try await onQueue(of: service) {
      for answer in told.value { answer() }
      #expect(sent.value.isEmpty)
    }
    try await onQueue(of: service) {}
    #expect(sent.value.map(\.status.code) == [200])
  }

  private func responder(into sent: Locked<[Response]>) -> Responder {
    Responder { reply in
      if case .whole(let response) = reply { sent.change { $0.append(response) } }
    }
  }

  private func onQueue(
    of service: TestService, _ body: @escaping @Sendable () throws -> Void
  ) async throws {
    try await withCheckedThrowingContinuation { continuation in
      service.queues.largeRequests.queue.async { continuation.resume(with: Result(catching: body)) }
    } as Void
  }

  @Test("waits for none of the largest where it is not one of them")
  func medium() async throws {
    let service = try TestService()
    try await service.addGoals(1)
    service.queues.largeRequests.queue.suspend()
    defer { service.queues.largeRequests.queue.resume() }
    let sent = Locked<[Response]>([])
    let largest = try TestService.request(Self.large, as: service.me.token)
    service.gateway.handler.respond(to: largest, by: responder(into: sent))
    let medium = Self.batch(padding: Gateway.mediumBody)
    #expect(try await service.ask(medium)["/version"] == "3")
    #expect(sent.value.isEmpty)
  }

  @Test("of an account is read after no more than one of another, which has many")
  func fairness() async throws {
    let read = Locked<[Account.ID]>([])
    let service = try TestService { store in
      store.with(submit: { sent, answer in
        read.change { $0.append(sent.account) }
        store.submit(sent, answer)
      })
    }
    try await service.addGoals(1)
    let other = try service.stranger()
    read.change { $0.removeAll() }
    let sent = Locked<[Response]>([])
    service.queues.largeRequests.queue.suspend()
    for token in Array(repeating: service.me.token, count: 5) + [other] {
      let request = try TestService.request(Self.large, as: token)
      service.gateway.handler.respond(to: request, by: responder(into: sent))
    }
    service.queues.largeRequests.queue.resume()
    await until { sent.value.count >= 6 }
    let mine = try #require(read.value.first)
    let place = try #require(read.value.firstIndex { $0 != mine })
    #expect(place <= 2, "\(read.value)")
    #expect(sent.value.allSatisfy { $0.status.code == 200 })
  }

  @Test("is not begun where its client has gone")
  func abandoned() async throws {
    let service = try TestService()
    try await service.addGoals(1)
    let sent = Locked<[Int]>([])
    let request = try TestService.request(Self.large, as: service.me.token)
    service.gateway.handler.respond(
      to: request,
      by: Responder(isAwaited: { false }) { reply in
        if case .whole(let response) = reply { sent.change { $0.append(response.status.code) } }
      })
    await until { !sent.value.isEmpty }
    #expect(sent.value == [400])
    #expect(try await service.ask("GET /v1/goals")["/version"] == "2")
  }

  @Test("is one of 16 KiB or more, and one of the largest of 64 KiB or more")
  func size() {
    #expect(Gateway.mediumBody == 16_384)
    #expect(Gateway.largeBody == 65_536)
  }
}
