import GoalsCore
import GoalsReplica
import ReplicaTestSupport
import TestSupport
import Testing

@Suite struct `A replica without a server` {
  @Test func `shows an edit at once and keeps it`() {
    var test = TestReplica()
    test.tell(.loaded(Replica.Kept()))
    test.edit(Edit(.add(.some(1, "Yoga"))))
    test.edit(Edit(.setActivity(.keyed([1: true]))))
    test.edit(.bump(by: 2))
    #expect(test.progress() == 2)
    #expect(test.replica.queue.count == 3)
    #expect(test.request == nil)
    #expect(test.replica.standing == .stopped(.signedOut))
  }

  @Test func `refuses an edit as the server would, and keeps nothing of it`() {
    var test = TestReplica.inStep()
    let id = test.edit(.bump(9))
    guard case .rejected(let edit, let rejection, wasKept: false)? = test.notices.last else {
      Issue.record("nothing was told")
      return
    }
    #expect(edit.id == id && rejection.code == .unknownGoal)
    #expect(test.replica.kept.own.count == 0)
  }

  @Test func `takes an edit back that was never sent`() {
    var test = TestReplica.inStep()
    test.addGoal()
    let bump = test.edit(.bump())
    test.lose()
    let undo = test.edit(Edit(.undo(bump)))
    #expect(test.progress() == 0)
    test.edit(Edit(.undo(undo)))
    #expect(test.progress() == 1)
    test.wait(seconds: 2)
    test.exchange()
    #expect(test.progress() == 1 && test.replica.queue.isEmpty)
  }

  @Test func `takes an edit back that the log has`() {
    var test = TestReplica.inStep()
    test.addGoal()
    let bump = test.edit(.bump())
    test.exchange()
    let undo = ProposedEdit(id: 77, edit: Edit(.undo(bump)))
    #expect(test.replica.lookUps(for: .edited([undo])) == [bump])
    test.tell(.edited([undo]), known: RecordedEdits(test.server.log))
    #expect(test.progress() == 0)
  }

  @Test func `shows an edit that waits for its time zone once that is there`() {
    var test = TestReplica.inStep()
    test.addGoal()
    var later = Replica()
    _ = decide(.init(.loaded(test.replica.kept), at: test.now), &later)
    let decisions = decide(
      .init(.edited([ProposedEdit(id: 5, edit: .bump())]), at: test.now), &later)
    #expect(later.queue.count == 1)
    #expect(later.shown == test.replica.shown)
    #expect(decisions.contains { if case .keep = $0 { true } else { false } })
    let zone = ZoneName.of("Europe/Berlin")
    _ = decide(.init(.zone(zone, simulatedZones[zone]), at: test.now), &later)
    #expect(later.shown.version == test.replica.shown.version.next)
  }

  @Test func `shows that a period has ended`() {
    var test = TestReplica.inStep()
    test.addGoal()
    test.edit(.bump())
    test.exchange()
    test.now = .at("2026-11-22T22:59:30Z")
    test.tell(.cameToFront)
    test.exchange()
    // The week ends at midnight in Berlin.
    #expect(test.progress() == 1 && test.alarm == 30)
    test.now = .at("2026-11-22T23:00:00Z")
    #expect(test.tell(.timePassed).contains(.show()))
    #expect(test.progress() == 0)
  }
}

@Suite struct `A replica that has to read its log anew` {
  @Test func `shows an older state with its queue until it has`() {
    var test = TestReplica.inStep()
    test.addGoal()
    test.edit(.bump())
    test.exchange()
    let earlier = test.replica.kept.state
    test.edit(.bump())
    test.exchange()
    let waiting = test.edit(.bump())
    let own = test.replica.kept.own[waiting]
    var kept = Replica.Kept()
    var change = Replica.Delta()
    change.restart = SimulatedServer.identity
    change.own = [own].compactMap(\.self)
    kept.apply(change)
    test.replica = Replica()
    test.tell(.loaded(kept, showing: earlier))
    #expect(test.progress() == 2 && test.replica.isCatchingUp)
    test.edit(.bump())
    test.edit(.bump())
    #expect(test.progress() == 4)
    test.tell(.signedIn)
    test.exchange()
    #expect(test.progress() == 5 && !test.replica.isCatchingUp)
    // Nothing older than a later log is shown.
    test.tell(.followReset)
    #expect(test.progress() == 5)
  }
}

@Suite struct `A disk that fails` {
  @Test func `keeps an edit from being sent`() {
    var test = TestReplica.inStep()
    test.keeps = false
    test.edit(Edit(.add(.some(1))))
    #expect(test.request == nil)
    test.tell(.kept(.max))
    #expect(test.sentEdits.count == 1)
  }

  @Test func `takes the edit from the screen and tells of it`() {
    var test = TestReplica.inStep()
    test.keeps = false
    let id = test.edit(Edit(.add(.some(1))))
    guard case .keep(_, let number)? = test.decisions.last(where: \.isKeep) else { return }
    test.tell(.notKept(number))
    #expect(test.notices.last == .notKept([id]))
    #expect(test.replica.shown.roster.count == 0 && test.replica.queue.isEmpty)
    // The order to forget the edit goes with it to the disk.
    guard case .keep(let change, _)? = test.decisions.last(where: \.isKeep) else { return }
    #expect(change.forgotten == [id])
  }
}

extension Replica.Decision {
  fileprivate var isKeep: Bool { if case .keep = self { true } else { false } }
}
