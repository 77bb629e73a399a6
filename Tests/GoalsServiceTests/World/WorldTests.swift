import Dispatch
import Foundation
import GoalsCore
import TestSupport
import Testing

@testable import GoalsService

@Suite("The mock world") struct MockWorldTests {
  @Test("stands still until its clock is moved")
  func clock() {
    let clock = World.MockClock()
    let world = World.mock(clock: clock)
    #expect(world.now().description == "2026-11-20T12:00:00.000Z")
    #expect(world.now() == clock.now)
    clock.advance(bySeconds: 90)
    #expect(world.now().description == "2026-11-20T12:01:30.000Z")
    clock.set(to: Instant(milliseconds: 5))
    #expect(world.now() == Instant(milliseconds: 5))
  }

  @Test("calls at once what is due at once, and the rest when its clock is moved")
  func later() {
    let clock = World.MockClock()
    let queue = DispatchQueue(label: "MockWorldTests")
    let called = Locked<[Int]>([])
    let world = World.mock(clock: clock)
    for seconds in [1, 0] {
      world.later(.seconds(seconds), queue) { called.change { $0.append(seconds) } }
    }
    queue.sync {}
    #expect(called.value == [0])
    clock.advance(bySeconds: 1)
    queue.sync {}
    #expect(called.value == [0, 1])
  }

  @Test("draws 1, 2, 3, …, anew for each world")
  func random() {
    for _ in 0..<2 {
      let world = World.mock()
      #expect((0..<4).map { _ in world.random() } == [1, 2, 3, 4])
    }
  }

  @Test("makes UUIDv7 of both")
  func makesID() {
    let world = World.mock()
    let ids = (0..<2).map { _ in (world.makeID() as Edit.ID).description }
    #expect(
      ids == ["01a1f8d3-ea00-7001-8000-000000000002", "01a1f8d3-ea00-7003-8000-000000000004"])
  }

  @Test("tells what happened")
  func track() {
    let happenings = Happenings()
    World.mock { happenings.append($0) }.track(.draining)
    #expect(happenings.all == [.draining])
  }

  private static let zones = [
    "America/New_York", "Asia/Tokyo", "Europe/Berlin", "Pacific/Auckland",
  ]

  @Test("has zones that are those of the system, these years", arguments: zones)
  func agrees(_ name: String) throws {
    let name = try #require(ZoneName(name))
    let mock = try #require(mockZone(name).zone)
    let real = try #require(ZoneFiles { _, _ in }.lookUp(name).zone)
    // Every hour from 2026 on, for two years.
    for hour in 0..<(2 * 365 * 24) {
      let instant = Instant(seconds: 1_767_225_600 + Int64(hour) * 3600)
      guard mock.offset(at: instant) == real.offset(at: instant) else {
        Issue.record("\(name) at \(instant)")
        return
      }
    }
  }

  @Test("has no other zones but UTC", arguments: ["Europe/Paris", "GMT", "Etc/UTC"])
  func otherZones(_ name: String) throws {
    #expect(mockZone(try #require(ZoneName(name))) == .unknown)
    #expect(mockZone(.utc) == .found(.utc))
  }
}

@Suite("The live world") struct LiveWorldTests {
  @Test("has the system's clock")
  func clock() {
    let world = World.live { _ in }
    let system = Int64(Date().timeIntervalSince1970)
    #expect(abs(world.now().seconds - system) < 60)
  }

  @Test("draws what nobody can foretell")
  func random() {
    let world = World.live { _ in }
    #expect(Set((0..<100).map { _ in world.random() }).count == 100)
  }

  @Test("has the system's zones")
  func zones() throws {
    let world = World.live { _ in }
    #expect(world.zone(try #require(ZoneName("Europe/Berlin"))).zone != nil)
  }
}

@Suite("The test world") struct FailingWorldTests {
  @Test("fails on whatever a test did not set")
  func fails() {
    withKnownIssue { _ = World.failing.now() }
    withKnownIssue { _ = World.failing.random() }
    withKnownIssue { _ = World.failing.zone(.utc) }
    withKnownIssue { World.failing.track(.draining) }
  }
}
