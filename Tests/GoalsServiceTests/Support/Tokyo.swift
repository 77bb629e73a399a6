import GoalsCore
import TestSupport

@testable import GoalsService

/// What is known of Asia/Tokyo, as a test has it; of the others, what the mock world knows.
final class Tokyo: Sendable {
  private let answer = Locked<ZoneLookup?>(nil)

  func become(_ lookup: ZoneLookup?) { answer.change { $0 = lookup } }

  @Sendable func lookUp(_ name: ZoneName) -> ZoneLookup {
    (name.text == "Asia/Tokyo" ? answer.value : nil) ?? mockZone(name)
  }
}
