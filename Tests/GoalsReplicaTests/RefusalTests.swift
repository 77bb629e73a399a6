import GoalsCore
import GoalsReplica
import ReplicaTestSupport
import TestSupport
import Testing

@Suite struct `A refusal` {
  @Test func `of the token stops everything until there is another`() {
    var test = TestReplica.inStep()
    let id = test.edit(Edit(.add(.some(1))))
    test.refuse(401, "unauthenticated")
    #expect(test.replica.standing == .stopped(.signedOut))
    #expect(test.notices.last == .signInNeeded && test.decisions.contains(.unfollow))
    test.tell(.cameToFront)
    test.wait(seconds: 4000)
    #expect(test.request == nil && test.replica.queue.map(\.id) == [id])
    #expect(test.tell(.signedIn).contains(.show()))
    test.exchange()
    #expect(test.replica.queue.isEmpty)
  }

  @Test func `of another account's token sends nothing with it`() {
    var test = TestReplica.inStep()
    test.edit(Edit(.add(.some(1))))
    test.refuse(401, "unauthenticated")
    test.tell(.signedIn)
    let other = Replica.Identity(account: 2, calendar: .initial)
    test.answer(with: .identity(other))
    #expect(test.replica.standing == .stopped(.otherAccount(2)))
    #expect(test.replica.kept.identity == SimulatedServer.identity)
    #expect(test.replica.queue.count == 1 && test.request == nil)
  }

  @Test func `of a cursor asks for the calendar again, which may be another`() {
    var test = TestReplica.inStep()
    test.tell(.followReset)
    #expect(test.request == .identity)
    let other = CalendarSettings(
      timeZone: .of("Asia/Tokyo"), weekStart: .sunday, dayStart: .midnight)
    test.answer(
      with: .identity(Replica.Identity(account: SimulatedServer.identity.account, calendar: other)))
    #expect(test.replica.kept.state.calendar == other)
    #expect(test.request == .sync(after: nil, edits: []))
  }

  @Test func `to write goes on reading`() {
    var test = TestReplica.inStep()
    let id = test.edit(Edit(.add(.some(1))))
    test.refuse(403, "forbidden")
    #expect(test.notices.last == .readOnly)
    #expect(test.request == .read(after: test.replica.kept.cursor))
    test.exchange()
    #expect(test.replica.queue.map(\.id) == [id] && test.replica.standing == .inStep)
  }

  /// A replica that has sent the edits 11 to 14.
  private static func sending() -> TestReplica {
    var test = TestReplica.inStep()
    let ids: [Edit.ID] = [11, 12, 13, 14]
    test.tell(.edited(ids.map { ProposedEdit(id: $0, edit: Edit(.add(.some(.of($0.low))))) }))
    #expect(test.sentEdits == ids)
    return test
  }

  @Test(arguments: [
    (413, "body-too-large", []), (422, "invalid", ["/edits"]), (400, "malformed-json", []),
  ])
  func `of a request sends half as many, and puts aside the edit that is refused alone`(
    status: Int, code: String, pointers: [String]
  ) {
    var test = Self.sending()
    test.refuse(status, code, pointers: pointers)
    #expect(test.sentEdits == [11, 12])
    test.refuse(status, code, pointers: pointers)
    #expect(test.sentEdits == [11])
    test.refuse(status, code, pointers: pointers)
    #expect(test.replica.rejected.map(\.id) == [11])
    #expect(test.sentEdits == [12, 13, 14])
    test.exchange()
    #expect(test.replica.queue.isEmpty && test.server.log.map(\.id) == [12, 13, 14])
  }

  @Test(arguments: [400, 422, 410, 404])
  func `by a proxy loses nothing, and waits`(status: Int) {
    var test = Self.sending()
    let cursor = test.replica.kept.cursor
    for pause in [1, 2] as [Int64] {
      test.refuse(status)
      #expect(test.request == nil && test.alarm == pause)
      #expect(test.replica.queue.count == 4 && test.replica.kept.cursor == cursor)
      test.wait(seconds: pause + 1)
    }
    #expect(test.notices == [.notUnderstood("it answered \(status).")])
    test.exchange()
    #expect(test.server.log.map(\.id) == [11, 12, 13, 14])
  }

  @Test(arguments: [401, 403])
  func `by a proxy or a hotel's network says nothing of the token`(status: Int) {
    var test = Self.sending()
    for pause in [1, 2] as [Int64] {
      test.refuse(status)
      #expect(test.alarm == pause && test.replica.queue.count == 4)
      guard case .waiting(_, .refusedBetween(status)) = test.replica.standing else {
        Issue.record("\(test.replica.standing)")
        return
      }
      test.wait(seconds: pause + 1)
    }
    #expect(test.notices.isEmpty)
    test.exchange()
    #expect(test.server.log.map(\.id) == [11, 12, 13, 14])
  }

  @Test func `by a proxy that takes less sends half as many, and keeps what is too large for it`() {
    var test = Self.sending()
    test.refuse(413)
    test.refuse(413)
    #expect(test.sentEdits == [11])
    test.refuse(413)
    #expect(test.alarm == 1 && test.replica.queue.count == 4)
    #expect(test.notices == [.notUnderstood("it answered 413.")])
    test.wait(seconds: 2)
    test.exchange()
    #expect(test.server.log.map(\.id) == [11, 12, 13, 14])
  }

  @Test func `of the question whose token it is waits, whatever its reason`() {
    var test = TestReplica.inStep()
    test.tell(.signedIn)
    test.refuse(410, "cursor-diverged")
    #expect(test.request == nil && test.alarm == 1)
    #expect(test.replica.kept.cursor != nil)
  }

  @Test func `for a full account reads on and keeps the queue`() {
    var test = TestReplica.inStep()
    let id = test.edit(Edit(.add(.some(1))))
    test.refuse(507)
    #expect(test.notices.last == .accountFull)
    #expect(test.request == .sync(after: test.replica.kept.cursor, edits: []))
    test.exchange()
    #expect(test.replica.queue.map(\.id) == [id])
    test.tell(.cameToFront)
    #expect(test.sentEdits == [id])
  }

  @Test func `that asks for time gets it, and an hour at most`() {
    var test = TestReplica.inStep()
    test.edit(Edit(.add(.some(1))))
    test.refuse(429, retryAfter: 20)
    #expect(test.alarm == 22)
    // A person who looks does not change it.
    test.tell(.cameToFront)
    #expect(test.request == nil)
    test.wait(seconds: 22)
    test.refuse(503, retryAfter: 100_000)
    #expect(test.alarm == 3960)
  }

  @Test func `without a reason is tried again ever later, up to five minutes`() {
    var test = TestReplica.inStep()
    test.edit(Edit(.add(.some(1))))
    var pauses: [Int64] = []
    for _ in 0..<11 {
      test.refuse(500)
      pauses.append(test.alarm ?? 0)
      test.wait(seconds: 400)
    }
    #expect(pauses == [1, 2, 4, 8, 17, 35, 70, 140, 281, 330, 330])
    test.lose()
    test.tell(.cameToFront)
    test.exchange()
    #expect(test.replica.queue.isEmpty)
  }

  @Test func `that makes no sense is told once`() {
    var test = TestReplica.inStep()
    test.tell(.cameToFront)
    test.refuse(404)
    test.wait(seconds: 2)
    test.refuse(404)
    #expect(test.notices.filter { $0 == .notUnderstood("it answered 404.") }.count == 1)
    #expect(test.alarm == 2)
  }
}

@Suite struct `A restored server` {
  /// A process that ends there, and another that begins with what was kept.
  @Test func `is still being read where the reading was cut off`() {
    var test = TestReplica.inStep()
    test.addGoal()
    for _ in 0..<5 { test.edit(.bump()) }
    test.exchange()
    #expect(test.replica.kept.isWhole)
    test.tell(.cameToFront)
    test.refuse(410, "cursor-diverged")
    test.answer()
    test.answer()
    var next = TestReplica()
    next.server = test.server
    next.tell(.loaded(test.replica.kept))
    #expect(next.replica.kept.cursor != nil && next.replica.isCatchingUp)
    next.tell(.signedIn)
    next.exchange()
    #expect(!next.replica.isCatchingUp && next.replica.kept.isWhole && next.progress() == 5)
  }

  @Test(arguments: [(410, "cursor-diverged", []), (422, "invalid", ["/after"])])
  func `gets back what the backup lacks`(status: Int, code: String, pointers: [String]) {
    var test = TestReplica.inStep()
    test.addGoal()
    let backup = test.server
    let lost = [test.edit(.bump()), test.edit(.bump())]
    test.exchange()
    let waiting = test.edit(.bump())
    test.server = backup
    test.refuse(status, code, pointers: pointers)
    #expect(test.notices.last == .restored(edits: 4))
    // What is shown does not go back while the log is read anew.
    #expect(test.progress() == 3 && test.replica.isCatchingUp)
    test.exchange()
    #expect(test.server.log.suffix(3).map(\.id) == lost + [waiting])
    #expect(test.progress() == 3 && test.replica.queue.isEmpty && !test.replica.isCatchingUp)
  }

  @Test func `that rejects what another device has yet to bring is asked again, for 30 days`() {
    var test = TestReplica.inStep()
    let add = ProposedEdit(id: 900, edit: Edit(.add(.some(1))))
    let on = ProposedEdit(id: 901, edit: Edit(.setActivity(.keyed([1: true]))))
    let backup = test.server
    _ = test.server.answer(.sync(after: nil, edits: [add, on]), from: "tab", at: test.now)
    test.tell(.cameToFront)
    test.exchange()
    let id = test.edit(.bump())
    test.server = backup
    test.answer()
    test.exchange()
    #expect(test.replica.queue.map(\.id) == [id] && test.replica.rejected.isEmpty)
    _ = test.server.answer(.sync(after: nil, edits: [add, on]), from: "tab", at: test.now)
    test.tell(.cameToFront)
    test.exchange()
    #expect(test.replica.queue.isEmpty && test.progress() == 1)
  }

  @Test func `that knows no log at all is not asked without a pause`() {
    var test = TestReplica.inStep()
    test.addGoal()
    test.tell(.cameToFront)
    for _ in 0..<3 { test.refuse(410, "cursor-diverged") }
    #expect(test.request == nil && (test.alarm ?? 0) > 0)
  }
}
