import GoalsCore
import Testing

@testable import GoalsService

extension World {
  /// A world in which whatever a test did not set fails the test.
  static var failing: World {
    World(
      now: {
        Issue.record("the time was asked for, which the test did not set")
        return Instant(milliseconds: 0)
      },
      uptime: {
        Issue.record("the uptime was asked for, which the test did not set")
        return .zero
      },
      random: {
        Issue.record("randomness was asked for, which the test did not set")
        return 0
      },
      zone: { name in
        Issue.record("the zone \(name) was asked for, which the test did not set")
        return .unavailable
      },
      zoneInAnotherCase: { name in
        Issue.record("zones like \(name) were asked for, which the test did not set")
        return nil
      },
      machineZone: {
        Issue.record("the machine's zone was asked for, which the test did not set")
        return .utc
      },
      later: { _, _, _ in
        Issue.record("a call was asked for, which the test did not set")
      },
      track: { happening in
        Issue.record("\(happening) was tracked, which the test did not expect")
      })
  }
}
