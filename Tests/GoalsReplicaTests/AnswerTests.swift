import GoalsCore
import GoalsReplica
import ReplicaTestSupport
import TestSupport
import Testing

@Suite struct `An answer` {
  @Test func `begins with whose token it is`() {
    var test = TestReplica()
    test.tell(.loaded(Replica.Kept()))
    test.tell(.signedIn)
    #expect(test.request == .identity)
    test.answer()
    #expect(test.request == .sync(after: nil, edits: []))
    #expect(test.replica.kept.identity == SimulatedServer.identity)
  }

  @Test func `that is lost leads to the same edits again`() {
    var test = TestReplica.inStep()
    test.addGoal()
    let id = test.edit(.bump())
    test.lose(arrived: true)
    #expect(test.replica.queue.map(\.id) == [id])
    test.wait(seconds: 2)
    #expect(test.sentEdits == [id])
    test.exchange()
    #expect(test.progress() == 1 && test.replica.queue.isEmpty)
    #expect(test.server.log.filter { $0.id == id }.count == 1)
  }

  @Test func `of a rejection takes the edit from the queue until its person has seen it`() {
    var test = TestReplica.inStep()
    test.addGoal()
    let id = test.edit(.bump())
    let cursor = test.replica.kept.cursor ?? Replica.Cursor("")
    let rejection = Rejection(.inactiveGoal, "It was off.")
    test.answer(
      with: .page(
        Replica.Page(
          outcomes: [Outcome(id: id, status: .rejected(rejection))], entries: [], cursor: cursor,
          more: false)))
    #expect(test.progress() == 0)
    #expect(test.replica.rejected.map(\.id) == [id] && test.replica.queue.isEmpty)
    #expect(
      test.notices.contains { if case .rejected(_, rejection, true) = $0 { true } else { false } })
    test.tell(.dismissed([id]))
    #expect(test.replica.kept.own[id] == nil)
  }

  @Test func `of unchanged ends the edit`() {
    var test = TestReplica.inStep()
    test.addGoal()
    let id = test.edit(Edit(.alter(1, [.retitling(to: .of("Run"))])))
    let cursor = test.replica.kept.cursor ?? Replica.Cursor("")
    let outcome = Outcome(id: id, status: .unchanged)
    test.answer(
      with: .page(Replica.Page(outcomes: [outcome], entries: [], cursor: cursor, more: false)))
    #expect(test.replica.kept.own[id] == nil)
    #expect(test.replica.shown == test.replica.kept.state)
  }

  @Test func `of an edit too far ahead corrects its time, once`() {
    var test = TestReplica.inStep()
    test.addGoal()
    let late = test.now
    test.now = test.now.adding(milliseconds: 86_400_000)
    let id = test.edit(.bump(), at: test.now)
    test.answer(date: late)
    #expect(test.notices.contains(.clockIsOff(by: -86_400_000)))
    #expect(test.sentEdits == [id])
    test.answer(date: late)
    #expect(test.replica.queue.isEmpty)
    #expect(test.server.log.last?.at == late)
  }

  @Test(arguments: [0, 3_600_000] as [Int64])
  func `of an edit of a clock that was set since gives it the present time`(still: Int64) {
    var test = TestReplica.inStep()
    test.addGoal()
    let right = test.now
    test.now = right.adding(milliseconds: 86_400_000)
    let id = test.edit(.bump())
    // The clock is right now, or an hour ahead.
    test.now = right.adding(milliseconds: still)
    test.answer(date: right)
    #expect(test.sentEdits == [id])
    test.answer(date: right)
    #expect(test.replica.queue.isEmpty && test.replica.rejected.isEmpty)
    #expect(test.server.log.last?.id == id && test.server.log.last?.at == right)
  }

  @Test func `of a server with another time is waited for by that time`() {
    var test = TestReplica.inStep()
    test.addGoal()
    // The device's clock is two hours ahead, and its day ends two hours before the account's.
    let hours = 2 * 3_600_000 as Int64
    test.tell(.cameToFront)
    let shows = test.decisions.count
    test.answer(date: test.now.adding(milliseconds: -hours))
    #expect(test.decisions[shows...].contains(.show()))
    test.now = .at("2026-11-23T00:30:00Z")
    let before = test.decisions.count
    test.tell(.cameToFront)
    test.answer(date: test.now.adding(milliseconds: -hours))
    let midnight = Instant.at("2026-11-22T23:00:00Z").adding(milliseconds: hours)
    #expect(test.replica.corrected(midnight) == .at("2026-11-22T23:00:00Z"))
    test.tell(.unreachable(test.ticket))
    let alarms = test.decisions[before...].compactMap {
      if case .wait(let until) = $0 { until } else { nil }
    }
    #expect(alarms.contains(midnight))
  }

  @Test func `that never brings what it acknowledges is asked again, ever later`() {
    var test = TestReplica.inStep()
    let id = test.edit(Edit(.add(.some(1))))
    let cursor = test.replica.kept.cursor ?? Replica.Cursor("")
    var pauses: [Int64] = []
    for _ in 0..<4 {
      let outcome = Outcome(id: id, status: .applied(Version(1)))
      test.answer(
        with: .page(Replica.Page(outcomes: [outcome], entries: [], cursor: cursor, more: false)))
      let pause = test.alarm ?? 0
      pauses.append(pause)
      test.wait(seconds: pause + 1)
      #expect(test.sentEdits == [id])
    }
    #expect(pauses == [1, 2, 4, 8])
  }

  @Test func `without all outcomes makes no sense, and loses nothing`() {
    var test = TestReplica.inStep()
    let id = test.edit(Edit(.add(.some(1))))
    test.answer(
      with: .page(
        Replica.Page(outcomes: [], entries: [], cursor: Replica.Cursor("x"), more: false)))
    #expect(test.notices.last == .notUnderstood("outcomes"))
    #expect(test.replica.queue.map(\.id) == [id])
    #expect(test.replica.kept.cursor != Replica.Cursor("x"))
  }

  @Test func `with an edit of an unknown type is told once, and edits go on`() {
    var test = TestReplica.inStep()
    test.addGoal()
    let cursor = test.replica.kept.cursor
    for _ in 0..<2 {
      test.tell(.cameToFront)
      test.answer(
        with: .page(
          Replica.Page(
            outcomes: [], entries: [.unknown], cursor: Replica.Cursor("y"), more: false)))
    }
    #expect(test.notices.filter { $0 == .newerServer }.count == 1)
    #expect(test.replica.kept.cursor == cursor)
    let id = test.edit(.bump())
    #expect(test.sentEdits == [id] && test.progress() == 1)
  }
}

@Suite struct `A stream` {
  @Test func `is followed from the place that was read last`() {
    var test = TestReplica.inStep()
    #expect(test.decisions.contains(.follow(after: test.replica.kept.cursor, .stream)))
    let other = ProposedEdit(id: 900, edit: Edit(.add(.some(3))))
    _ = test.server.answer(.sync(after: nil, edits: [other]), from: "tab", at: test.now)
    let entries = test.server.entries(0..<1)
    let made = test.tell(.followed(entries, test.server.cursor(at: 1)))
    #expect(test.replica.shown.roster.ids == [3] && made.contains(.show()))
    #expect(test.request == nil)
    // The same again is passed over.
    test.tell(.followed(entries, test.server.cursor(at: 1)))
    #expect(test.replica.kept.state.version.number == 1)
  }

  @Test func `that leaves something out leads to a request`() {
    var test = TestReplica.inStep()
    for id in 1...2 {
      let edit = ProposedEdit(id: .of(UInt64(900 + id)), edit: Edit(.add(.some(.of(UInt64(id))))))
      _ = test.server.answer(.sync(after: nil, edits: [edit]), from: "tab", at: test.now)
    }
    test.tell(.followed(test.server.entries(1..<2), test.server.cursor(at: 2)))
    #expect(test.request != nil)
    test.exchange()
    #expect(test.replica.shown.roster.count == 2)
  }

  @Test func `that does not begin twice gives way to long polls`() {
    var test = TestReplica.inStep()
    test.tell(.followEnded(hadBegun: false))
    test.wait(seconds: 2)
    test.exchange()
    #expect(
      test.decisions.last { $0.isFollow } == .follow(after: test.replica.kept.cursor, .stream))
    test.tell(.followEnded(hadBegun: false))
    test.wait(seconds: 2)
    test.exchange()
    let poll = Replica.Decision.follow(after: test.replica.kept.cursor, .longPoll)
    #expect(test.decisions.last { $0.isFollow } == poll)
    // A poll that ends leads to the next, and to no other request.
    #expect(test.tell(.followEnded(hadBegun: true)).contains(poll))
    #expect(test.request == nil)
  }
}

extension Replica.Decision {
  fileprivate var isFollow: Bool { if case .follow = self { true } else { false } }
}
