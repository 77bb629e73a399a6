import GoalsCore
import Testing

@testable import GoalsService

@Suite("Work that takes long") struct FairScheduleTests {
  private typealias Schedule = FairSchedule<String>

  private func account(_ number: UInt64) -> Account.ID { .init(high: 1, low: number) }

  private func expect<Value: Equatable>(
    _ expected: Value, _ found: Value, location: SourceLocation = #_sourceLocation
  ) {
    #expect(found == expected, sourceLocation: location)
  }

  /// The portions that are made of folds by their lengths, one at a time.
  private func portions(
    _ schedule: inout Schedule, _ lengths: [String: Int]
  ) -> [String] {
    var left = lengths
    var made: [String] = []
    while let (account, fold) = schedule.begin() {
      let second = schedule.begin()
      #expect(second == nil, "two at a time")
      made.append(fold)
      left[fold, default: 1] -= 1
      schedule.end(of: account, isOver: left[fold] == 0)
    }
    return made
  }

  @Test("is done for an account one after the other, and for accounts in turn")
  func turns() {
    var schedule = Schedule()
    for fold in ["a1", "a2", "a3"] { expect(true, schedule.add(fold, of: account(1))) }
    expect(true, schedule.add("b1", of: account(2)))
    expect(true, schedule.add("c1", of: account(3)))
    let made = portions(&schedule, ["a1": 3, "a2": 2, "b1": 2])
    #expect(made == ["a1", "b1", "c1", "a1", "b1", "a1", "a2", "a2", "a3"])
  }

  @Test("of another account waits for a portion, however much an account has", arguments: [1, 64])
  func fairness(_ count: Int) {
    var schedule = Schedule()
    for number in 0..<count { expect(true, schedule.add("a\(number)", of: account(1))) }
    expect("a0", schedule.begin()?.work)
    expect(true, schedule.add("b", of: account(2)))
    schedule.end(of: account(1), isOver: false)
    expect("b", schedule.begin()?.work)
  }

  @Test("is done for so many accounts at the same time, and for each of them once")
  func width() {
    var schedule = Schedule(width: 2)
    for work in ["a1", "a2", "b1", "c1"] {
      let number = UInt64(["a", "b", "c"].firstIndex(of: work.prefix(1)) ?? 9)
      expect(true, schedule.add(work, of: account(number)))
    }
    expect("a1", schedule.begin()?.work)
    expect("b1", schedule.begin()?.work)
    expect(nil, schedule.begin()?.work)
    schedule.end(of: account(0), isOver: true)
    expect("c1", schedule.begin()?.work)
    schedule.end(of: account(1), isOver: true)
    expect("a2", schedule.begin()?.work)
    schedule.end(of: account(2), isOver: true)
    schedule.end(of: account(0), isOver: true)
    expect(nil, schedule.begin()?.work)
  }

  @Test("has a maximum for an account, but for what is owed")
  func maximum() {
    var schedule = Schedule()
    for number in 0..<Schedule.maximum {
      expect(true, schedule.add("\(number)", of: account(1)))
    }
    expect(false, schedule.add("one more", of: account(1)))
    expect(true, schedule.add("owed", of: account(1), isOwed: true))
    expect(true, schedule.add("another's", of: account(2)))
    _ = schedule.begin()
    schedule.end(of: account(1), isOver: true)
    _ = schedule.begin()
    schedule.end(of: account(2), isOver: true)
    expect(false, schedule.add("full", of: account(1)))
    _ = schedule.begin()
    schedule.end(of: account(1), isOver: true)
    expect(true, schedule.add("room", of: account(1)))
  }
}
