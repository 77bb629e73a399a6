import GoalsCore
import JSON
import Testing

@testable import GoalsWire

@Suite("An activity") struct ActivityReadingTests {
  private func read(_ text: String) throws -> Validated<Activity> {
    Activity.read(try parsed(text), at: .root["activity"])
  }

  private static let a = "00000000-0000-0000-0000-00000000000a"
  private static let b = "00000000-0000-0000-0000-00000000000b"

  private static let activities: [(String, Activity)] = [
    ("{}", .keyed(KeyedActivity.of())),
    ("[]", .listed([])),
    ("{\"\(a)\":true,\"\(b)\":false}", .keyed(KeyedActivity.of((10, true), (11, false)))),
    ("{\"\(a.uppercased())\":true}", .keyed(KeyedActivity.of((10, true)))),
    ("[true,false,true]", .listed([true, false, true])),
  ]

  @Test("is an object keyed by goals, or an array in list order", arguments: activities)
  func isRead(_ text: String, _ activity: Activity) throws {
    #expect(try read(text).value == activity)
  }

  @Test("keeps the order of its keys")
  func keepsOrder() throws {
    guard case .keyed(let keyed)? = try read("{\"\(Self.b)\":true,\"\(Self.a)\":true}").value else {
      Issue.record("it is not keyed")
      return
    }
    #expect(keyed.elements.map(\.goal) == [.of(11), .of(10)])
  }

  private static let refused: [(String, [Fault])] = [
    (
      "null",
      [Fault("/activity", "an object keyed by goals, or an array in list order, is expected")]
    ),
    (
      "true",
      [Fault("/activity", "an object keyed by goals, or an array in list order, is expected")]
    ),
    (
      "[true,null,1,false,\"true\"]",
      [
        Fault("/activity/1", "true or false is expected"),
        Fault("/activity/2", "true or false is expected"),
        Fault("/activity/4", "true or false is expected"),
      ]
    ),
    ("{\"\(a)\":null}", [Fault("/activity/\(a)", "true or false is expected")]),
    (
      "{\"x/y\":1,\"\(a)\":true}",
      [
        Fault("/activity/x~1y", "the key is not a goal's id, a UUID"),
        Fault("/activity/x~1y", "true or false is expected"),
      ]
    ),
    (
      "{\"\(a)\":true,\"\(a)\":true}", [Fault("/activity/\(a)", "the goal is there twice")]
    ),
    (
      "{\"\(a)\":true,\"\(a.uppercased())\":false}",
      [Fault("/activity/\(a.uppercased())", "the goal is there twice")]
    ),
  ]

  @Test("tells everything that is wrong with it", arguments: refused)
  func faults(_ text: String, _ faults: [Fault]) throws {
    #expect(try read(text).faults == faults)
  }
}
