import Testing

@testable import GoalsCore

@Suite("Goals to be turned on and off")
struct KeyedActivityTests {
  @Test("are the same in whatever order they are named")
  func order() {
    let activity: KeyedActivity = [1: true, 2: false]
    let reversed: KeyedActivity = [2: false, 1: true]
    #expect(activity == reversed)
    #expect(activity.hashValue == reversed.hashValue)
    #expect(activity != [1: true, 2: true])
    #expect(activity != [1: true])
    #expect(activity.elements.map(\.goal) == [1, 2])
  }

  @Test("are each named once: the first time counts")
  func once() {
    let activity: KeyedActivity = [1: true, 2: false, 1: false]
    #expect(activity == [1: true, 2: false])
  }

  @Test("are put into the order of a list")
  func list() {
    var roster = Roster()
    for id in [2, 8, 1, 9, 3] as [Goal.ID] {
      roster.insert(TrackedGoal(Goal.some(id), createdAt: .at("2026-11-01T00:00:00Z")))
    }
    roster.unlist(8)
    let activity: KeyedActivity = [1: true, 2: false, 3: true]
    #expect(activity.ordered(in: roster).elements.map(\.goal) == [3, 1, 2])
  }

  @Test("are recorded in list order", arguments: [false, true])
  func recorded(_ isArray: Bool) throws {
    var account = TestAccount()
    for id: Goal.ID in [1, 2, 3] { account.record(.add(.some(id))) }
    let activity =
      isArray ? Activity.listed([true, true, true]) : .keyed([1: true, 3: true, 2: true])
    account.record(.setActivity(activity))
    guard case .goal(.setActivity(.keyed(let keyed)))? = account.log.last?.edit else {
      Issue.record("not recorded keyed")
      return
    }
    #expect(keyed.elements.map(\.goal) == [3, 2, 1])
  }
}
