import GoalsCore
import TestSupport
import GoalsStore
import Testing

@testable import GoalsService

@Suite("Whether an account's time zone was chosen") struct ChosenZoneTests {
  private func isChosen(_ service: TestService, as token: String? = nil) async throws -> String {
    let answer = try await service.ask("GET /v1/account", as: token ?? service.me.token)
    return answer["/timeZoneChosen"] ?? "-"
  }

  @Test("is false where nobody named one, and the machine's was taken")
  func machine() async throws {
    let service = try TestService(policy: .signUpOpen, machineZone: "Asia/Tokyo")
    #expect(try await service.ask("GET /v1/account").string("/timeZone") == "Asia/Tokyo")
    #expect(try await isChosen(service) == "false")
    for body in ["{\"name\":\"Ann\"}", "{\"name\":\"Ann\",\"timeZone\":null}"] {
      let made = try await service.ask("POST /v1/accounts\n\n\(body)", as: nil)
      #expect(made.string("/timeZone") == "Asia/Tokyo")
      #expect(made["/timeZoneChosen"] == "false")
    }
  }

  @Test("is true where it was named when the account was made")
  func named() async throws {
    let service = try TestService(timeZone: "UTC", policy: .signUpOpen)
    #expect(try await isChosen(service) == "true")
    let body = "{\"name\":\"Ann\",\"timeZone\":\"UTC\"}"
    let made = try await service.ask("POST /v1/accounts\n\n\(body)", as: nil)
    #expect(made["/timeZoneChosen"] == "true")
  }

  private static func batch(_ edits: String, _ more: String = "") -> String {
    "POST /v1/edits\(more)\n\n{\"edits\":[\(edits)]}"
  }

  private static let configure =
    "{\"id\":\"\(TestService.id(9))\",\"type\":\"configure\",\"timeZone\":\"UTC\"}"
  private static let names = [
    "PATCH /v1/account\n\n{\"timeZone\":\"Asia/Tokyo\"}",
    // The one that is so already, of which nothing is recorded.
    "PATCH /v1/account\n\n{\"timeZone\":\"UTC\"}", "PATCH /v1/account\n\n{\"timeZone\":null}",
    batch(configure), batch("{\"type\":\"nonsense\"},\(configure)"),
    "POST /v1/sync\n\n{\"after\":null,\"edits\":[\(configure)]}",
  ]

  @Test("is true from when on anybody names it", arguments: names)
  func configured(_ request: String) async throws {
    let service = try TestService()
    let answer = try await service.ask(request)
    #expect(answer.status == 200)
    if request.hasPrefix("PATCH") { #expect(answer["/timeZoneChosen"] == "true") }
    #expect(try await isChosen(service) == "true")
  }

  private static let others = [
    "PATCH /v1/account\n\n{}", "PATCH /v1/account\n\n{\"dayStart\":\"03:00\"}",
    "PATCH /v1/account\n\n{\"timeZoneChosen\":true}",
    "PATCH /v1/account\n\n{\"timeZone\":\"Mars/Olympus\"}",
    "PATCH /v1/account\nIf-Match: \"other\"\n\n{\"timeZone\":\"Asia/Tokyo\"}",
    batch("{\"id\":\"x\",\"type\":\"configure\",\"timeZone\":\"UTC\"}"),
    batch(configure, "?dryRun=true"),
    batch(configure.replacing("UTC", with: "Asia/Tokyo"), "?dryRun=true"),
    "POST /v1/edits\n\n{\"edits\":[\(configure),{\"type\":\"nonsense\"}],\"atomic\":true}",
  ]

  @Test("stays false where nobody names it, or is refused", arguments: others)
  func unchosen(_ request: String) async throws {
    let service = try TestService()
    _ = try await service.ask(request)
    #expect(try await isChosen(service) == "false")
  }

  @Test("stays true when the naming is taken back")
  func undone() async throws {
    let service = try TestService()
    let change = Self.configure.replacing("UTC", with: "Asia/Tokyo")
    _ = try await service.ask(Self.batch(change))
    let undone = try await service.ask("POST /v1/edits/\(TestService.id(9))/undo")
    #expect(undone.status == 200)
    let account = try await service.ask("GET /v1/account")
    #expect(account.string("/timeZone") == "UTC")
    #expect(account["/timeZoneChosen"] == "true")
  }

  @Test("is true as soon as the change is recorded, whatever fails after that")
  func inOneTransaction() async throws {
    for body in ["{\"timeZone\":\"Asia/Tokyo\"}", "{\"timeZone\":\"UTC\",\"dayStart\":\"03:00\"}"] {
      let service = try TestService { store in
        store.with(
          book: store.book.with(recordChoiceOfZone: { _ throws(StoreError) in throw .closed }))
      }
      #expect(try await service.ask("PATCH /v1/account\n\n\(body)").status == 200)
      #expect(try await isChosen(service) == "true")
    }
  }

  private static let echoes = [
    "{\"timeZoneChosen\":false,\"timeZone\":\"Asia/Tokyo\"}",
    "{\"timeZoneChosen\":false,\"timeZone\":\"UTC\",\"dayStart\":\"03:00\"}",
  ]

  @Test("can be sent back, and again after a lost answer", arguments: echoes)
  func retried(_ body: String) async throws {
    let service = try TestService()
    let patch = "PATCH /v1/account\nIdempotency-Key: \(TestService.id(8))\n\n\(body)"
    let namesAnother = body.contains("Tokyo")
    #expect(try await service.ask(patch).status == 200)
    #expect(try await isChosen(service) == "\(namesAnother)")
    #expect(try await service.ask(patch).status == 200)
    #expect(try await isChosen(service) == "\(namesAnother)")
    _ = try await service.ask("PATCH /v1/account\n\n{\"timeZone\":\"Europe/Berlin\"}")
    #expect(try await service.ask(patch).status == 200)
  }

  @Test("is true after an import of a log in another zone than UTC", arguments: [false, true])
  func imported(isConfigured: Bool) async throws {
    let service = try TestService()
    if isConfigured {
      _ = try await service.ask("PATCH /v1/account\n\n{\"timeZone\":\"Asia/Tokyo\"}")
    }
    let export = try await service.file("/v1/export").body
    let stranger = try service.stranger()
    let taken = try await service.ask(
      "POST /v1/import\n\n\(export)", as: stranger, type: "application/x-ndjson")
    #expect(taken.status == 201)
    #expect(try await isChosen(service, as: stranger) == "\(isConfigured)")
  }

  @Test("is written once, however often the present one is named")
  func writtenOnce() async throws {
    let writes = Locked(0)
    let service = try TestService { store in
      store.with(
        book: store.book.with(recordChoiceOfZone: { account throws(StoreError) in
          writes.change { $0 += 1 }
          try store.book.recordChoiceOfZone(account)
        }))
    }
    for _ in 0..<3 {
      #expect(try await service.ask("PATCH /v1/account\n\n{\"timeZone\":\"UTC\"}").status == 200)
    }
    #expect(writes.value == 1)
    #expect(try await service.version() == "0")
  }
}
