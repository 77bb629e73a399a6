import Foundation
import TestSupport
import GoalsCore
import Testing

@testable import GoalsService
@testable import GoalsStore

@Suite("Without a token") struct HealthTests {
  @Test("/healthz says that the process lives")
  func health() async throws {
    let answer = try await TestService().ask("GET /healthz", as: nil)
    #expect(answer.status == 200)
    #expect(answer.body == #"{"status":"ok"}"#)
    #expect(answer.field("Cache-Control") == "no-store")
    #expect(answer.field("Content-Type") == "application/json")
  }

  @Test("/readyz says that the database takes a write")
  func ready() async throws {
    let answer = try await TestService().ask("GET /readyz", as: nil)
    #expect(answer.status == 200)
    #expect(answer.body == #"{"status":"ready"}"#)
    let head = try await TestService().ask("HEAD /readyz", as: nil)
    #expect(head.head == answer.head)
  }

  /// A store of which only the health is looked at: what is written fails or not, as told.
  private struct Disk {
    let probes = Locked(0)
    let isBroken = Locked(false)
    let last = Locked<WriteOutcome?>(nil)

    func spoil(_ store: Store, clock: @escaping @Sendable () -> Instant) -> Store {
      let (probes, isBroken, last) = (probes, isBroken, last)
      return store.with(
        upkeep: .init(
          lastWrite: { last.value },
          probe: { () throws(StoreError) in
            probes.change { $0 += 1 }
            let isBroken = isBroken.value
            last.change { $0 = WriteOutcome(isDurable: !isBroken, at: clock()) }
            if isBroken { throw .full("no space") }
          }, verify: store.upkeep.verify, gauges: store.upkeep.gauges,
          accounts: store.upkeep.accounts, backUp: store.upkeep.backUp))
    }
  }

  @Test("/readyz asks the disk once in five seconds, and says what it learned")
  func unready() async throws {
    let (disk, clock) = (Disk(), World.MockClock())
    disk.isBroken.change { $0 = true }
    let service = try TestService(clock: clock) { disk.spoil($0) { clock.now } }
    for _ in 0..<3 {
      let answer = try await service.ask("GET /readyz", as: nil)
      #expect(answer.status == 503)
      #expect(answer.code == "store-unavailable")
      #expect(answer.field("Retry-After") == "1")
    }
    #expect(disk.probes.value == 1)
    #expect(try await service.ask("GET /healthz", as: nil).status == 200)
    disk.isBroken.change { $0 = false }
    clock.advance(bySeconds: 4)
    #expect(try await service.ask("GET /readyz", as: nil).status == 503)
    clock.advance(bySeconds: 1)
    #expect(try await service.ask("GET /readyz", as: nil).status == 200)
    #expect(try await service.ask("GET /readyz", as: nil).status == 200)
    #expect(disk.probes.value == 2)
    disk.isBroken.change { $0 = true }
    // A clock that is set back tells nothing about the store.
    clock.advance(bySeconds: -3600)
    #expect(try await service.ask("GET /readyz", as: nil).status == 503)
    #expect(disk.probes.value == 3)
  }

  @Test("/readyz takes what a commit came to for an answer, without a probe")
  func commits() async throws {
    let (disk, clock) = (Disk(), World.MockClock())
    let service = try TestService(clock: clock) { disk.spoil($0) { clock.now } }
    disk.last.change { $0 = WriteOutcome(isDurable: true, at: clock.now) }
    #expect(try await service.ask("GET /readyz", as: nil).status == 200)
    disk.last.change { $0 = WriteOutcome(isDurable: false, at: clock.now) }
    #expect(try await service.ask("GET /readyz", as: nil).status == 503)
    disk.last.change { $0 = WriteOutcome(isDurable: true, at: clock.now) }
    #expect(try await service.ask("GET /readyz", as: nil).status == 200)
    #expect(disk.probes.value == 0)
  }

  @Test("/readyz says so while the server stops; everything else goes on")
  func draining() async throws {
    let service = try TestService(isDraining: true)
    let answer = try await service.ask("GET /readyz", as: nil)
    #expect(answer.status == 503)
    #expect(answer.code == "draining")
    #expect(answer.field("Retry-After") == "1")
    #expect(try await service.ask("GET /healthz", as: nil).status == 200)
    #expect(try await service.ask("GET /v1/goals").status == 200)
  }

  @Test("/openapi.yaml is the file at the project's top")
  func openAPI() async throws {
    let answer = try await TestService().ask("GET /openapi.yaml", as: nil)
    #expect(answer.status == 200)
    #expect(answer.field("Content-Type") == "application/yaml")
    #expect(answer.field("X-Content-Type-Options") == "nosniff")
    #expect(answer.body == (try OpenAPI.file()))
  }

  @Test("/ is a page that runs nothing inline, asks nobody else and is framed by nobody")
  func page() async throws {
    let answer = try await TestService().ask("GET /", as: nil)
    #expect(answer.status == 200)
    #expect(answer.field("Content-Type") == "text/html; charset=utf-8")
    #expect(answer.field("X-Content-Type-Options") == "nosniff")
    let policy = try #require(answer.field("Content-Security-Policy"))
    #expect(policy.hasPrefix("default-src 'none'; ") && policy.contains("frame-ancestors 'none'"))
    #expect(!["unsafe-inline", "'unsafe-eval'", "http", "*"].contains { policy.contains($0) })
    #expect(answer.field("Referrer-Policy") == "no-referrer")
    #expect(answer.body.hasPrefix("<!doctype html>"))
  }
}
