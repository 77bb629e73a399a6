import GoalsCore
import GoalsReplica
import ReplicaTestSupport
import TestSupport
import Testing

@Suite struct `A clock that was off when the server was last heard` {
  private static let hours = 3 * 3_600_000 as Int64

  /// What a device in step kept, and a device that begins with it.
  private static func begun(clockOffset: Int64) -> TestReplica {
    var test = TestReplica.inStep()
    test.addGoal()
    let kept = test.replica.kept
    test.replica = Replica()
    test.tell(.loaded(kept, clockOffset: clockOffset))
    return test
  }

  @Test(arguments: [hours, -hours])
  func `is corrected without the server, too`(offset: Int64) {
    var test = Self.begun(clockOffset: offset)
    test.edit(.bump())
    #expect(test.replica.queue.last?.proposed.at == test.now.adding(milliseconds: offset))
    #expect(test.replica.corrected(test.now) == test.now.adding(milliseconds: offset))
  }

  @Test func `is told of once in each use`() {
    var test = Self.begun(clockOffset: Self.hours)
    test.tell(.signedIn)
    let server = test.now.adding(milliseconds: Self.hours)
    for _ in 0..<3 {
      test.tell(.cameToFront)
      test.answer(date: server)
    }
    #expect(test.notices == [.clockIsOff(by: Self.hours)])
  }

  @Test(arguments: [0, hours], [0, hours, -hours])
  func `corrects what was made before the server was heard`(believed: Int64, true: Int64) {
    var test = Self.begun(clockOffset: believed)
    let now = test.edit(.bump())
    let said = test.now.adding(milliseconds: -60_000)
    let then = test.edit(.bump(), at: said)
    test.tell(.signedIn)
    let server = test.now.adding(milliseconds: `true`)
    while test.request != nil { test.answer(date: server) }
    #expect(test.server.log.first { $0.id == now }?.at == server)
    // A time that is given counts, as long as it is not ahead.
    let right = `true` < 0 ? said.adding(milliseconds: `true`) : said
    #expect(test.server.log.first { $0.id == then }?.at == right)
  }

  @Test(arguments: [200, 302, 401, 403, 502])
  func `is not compared with that of a proxy`(status: Int) {
    var test = Self.begun(clockOffset: Self.hours)
    let id = test.edit(.bump())
    test.tell(.signedIn)
    test.refuse(status, date: test.now.adding(milliseconds: -Self.hours))
    #expect(test.replica.clockOffset == Self.hours && !test.replica.hasHeard)
    let made = test.now.adding(milliseconds: Self.hours)
    #expect(test.replica.kept.own[id]?.proposed.at == made)
  }

  @Test func `changes nothing of what was sent`() {
    var test = Self.begun(clockOffset: 0)
    let id = test.edit(.bump())
    test.tell(.signedIn)
    test.answer()
    #expect(test.sentEdits == [id])
    test.lose(arrived: true)
    let made = test.now
    test.wait(seconds: 2)
    while test.request != nil { test.answer(date: test.now.adding(milliseconds: Self.hours)) }
    #expect(test.server.log.last?.at == made)
    #expect(test.replica.queue.isEmpty && test.replica.rejected.isEmpty)
  }
}
