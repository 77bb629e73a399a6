import Testing

@testable import GoalsCore

@Suite("An undo")
struct UndoTests {
  private let today = Day.on("2026-11-20")

  private func count(_ account: TestAccount, _ id: Goal.ID = 1) -> Int? {
    account.state.roster.goal(id)?.days[today].count
  }

  @Test("of an add takes the goal away, with all that came later; and brings that back with it")
  func add() {
    var account = TestAccount()
    let add = account.record(.add(.some(1)))
    account.record(.setActivity(.keyed([1: true])))
    account.record(.alter(1, [.retitling(to: .of("Other"))]))
    account.record(.bump(1, by: .of(3), note: nil))
    let undo = account.record(.undo(add))
    #expect(account.state.roster.ids == [])
    #expect(account.send(Edit(.add(.some(1)))).rejection == .goalExists)
    account.record(.undo(undo))
    #expect(account.state.roster.listed(1)?.goal.title == .of("Other"))
    #expect(account.state.roster.listed(1)?.isActive == true)
    #expect(count(account) == 3)
  }

  @Test("of a delete brings the goal back as it was, before its old successor")
  func delete() {
    var account = TestAccount.with(.some(1), .some(2), .some(3))
    account.count(2, 1, on: "2026-11-20")
    let before = PresentValues(account.state)
    let delete = account.record(.delete(1))
    account.record(.move(3, before: 2))
    account.record(.undo(delete))
    #expect(account.state.roster.ids == [3, 1, 2])
    account.record(.move(3, before: nil))
    #expect(PresentValues(account.state) == before)
  }

  @Test("of a delete puts the goal at the end, where its old successor is gone")
  func deleteSuccessor() {
    var account = TestAccount.with(.some(1), .some(2), .some(3))
    let delete = account.record(.delete(1))
    account.record(.delete(2))
    account.record(.undo(delete))
    #expect(account.state.roster.ids == [3, 1])
  }

  @Test("of a delete is refused where the list is full")
  func full() {
    var account = TestAccount.with(.some(1), .some(2))
    let delete = account.record(.delete(1))
    account.record(.add(.some(3)))
    let judge = { (limit: Int) in
      account.state.judge(
        ProposedEdit(id: 900, edit: Edit(.undo(delete))), from: "phone",
        by: Circumstances(
          now: account.now, zones: Zones(), maximumGoals: limit, recorded: account.recorded))
    }
    #expect(judge(2).rejection == .limitReached)
    #expect(judge(3).recorded != nil)
  }

  @Test("of the undo of an add is refused likewise")
  func fullAgain() {
    var account = TestAccount.with(.some(1))
    let undo = account.record(.undo(account.record(.add(.some(2)))))
    account.record(.add(.some(3)))
    let judge = { (limit: Int) in
      account.state.judge(
        ProposedEdit(id: 900, edit: Edit(.undo(undo))), from: "phone",
        by: Circumstances(
          now: account.now, zones: Zones(), maximumGoals: limit, recorded: account.recorded))
    }
    #expect(judge(2).rejection == .limitReached)
    #expect(judge(3).recorded != nil)
  }

  @Test("of a delete brings back a goal that was off as one that is off, with what it remembers")
  func deletedOff() throws {
    var account = TestAccount.living(with: .some(1))
    account.record(.skip(1), at: .at("2026-11-10T12:00:00Z"))
    account.count(2, on: "2026-11-12")
    account.record(.alter(1, [.targeting(.times(3))]), at: .at("2026-11-14T12:00:00Z"))
    account.turn(on: false, at: "2026-11-15T12:00:00Z")
    let before = try #require(account.state.roster.listed(1))
    let delete = account.record(.delete(1))
    account.record(.undo(delete))
    var after = try #require(account.state.roster.listed(1))
    #expect(!after.isActive)
    after.existence = before.existence
    #expect(after == before)
  }

  @Test("of an alter gives back the fields that it changed, and leaves the others")
  func alter() {
    var account = TestAccount.with(.some(1, "Yoga", times: 2))
    let alter = account.record(.alter(1, [.retitling(to: .of("Run")), .targeting(.times(2))]))
    account.record(.alter(1, [.targeting(.times(9)), .recolouring(to: .red)]))
    account.record(.undo(alter))
    let goal = account.state.roster.listed(1)?.goal
    #expect(goal?.title == .of("Yoga"))
    #expect(goal?.frequency == .times(9))
    #expect(goal?.colour == .red)
  }

  @Test("of an update is refused where one of the fields that it changed holds another value")
  func overtaken() {
    var account = TestAccount.with(.some(1, "Yoga", times: 2))
    let update = account.record(.update(.some(1, "Run", times: 3)))
    account.record(.alter(1, [.retitling(to: .of("Swim"))]))
    #expect(account.send(Edit(.undo(update))).rejection == .notUndoable)
    account.record(.alter(1, [.retitling(to: .of("Run"))]))
    account.record(.undo(update))
    #expect(account.state.roster.listed(1)?.goal == .some(1, "Yoga", times: 2))
  }

  @Test("of an activity turns back the goals that it turned, and no other")
  func activity() {
    var account = TestAccount.with(.some(1), .some(2), .some(3))
    let turn = account.record(.setActivity(.keyed([1: false, 2: false, 3: true])))
    account.record(.setActivity(.keyed([3: false])))
    account.record(.undo(turn))
    #expect(account.state.roster.list.map(\.isActive) == [true, true, false])
  }

  @Test("of an activity is refused where one of the goals was turned again, or is gone")
  func activityOvertaken() {
    var account = TestAccount.with(.some(1), .some(2))
    let turn = account.record(.setActivity(.keyed([1: false, 2: false])))
    account.record(.setActivity(.keyed([1: true])))
    #expect(account.send(Edit(.undo(turn))).rejection == .notUndoable)
    account.record(.setActivity(.keyed([1: false])))
    let delete = account.record(.delete(2))
    #expect(account.send(Edit(.undo(turn))).rejection == .notUndoable)
    account.record(.undo(delete))
    account.record(.undo(turn))
    #expect(account.state.roster.list.map(\.isActive) == [true, true])
  }

  @Test("of a move changes nothing where the goal is back in its place, and is decided anew later")
  func moveInPlace() {
    var account = TestAccount.with(.some(1), .some(2), .some(3))
    let move = account.record(.move(1, before: nil))
    account.record(.move(1, before: 2))
    #expect(account.send(Edit(.undo(move))) == .unchanged)
    account.record(.move(1, before: 3))
    account.record(.undo(move))
    #expect(account.state.roster.ids == [1, 2, 3])
  }

  @Test("of a move changes nothing at the end either, where the old successor is gone")
  func moveAtEnd() {
    var account = TestAccount.with(.some(1), .some(2), .some(3))
    let move = account.record(.move(2, before: 1))
    account.record(.delete(3))
    account.record(.move(1, before: 2))
    #expect(account.send(Edit(.undo(move))) == .unchanged)
  }

  @Test("of a move puts the goal back before its old successor, or at the end where that is gone")
  func move() {
    var account = TestAccount.with(.some(1), .some(2), .some(3))
    let move = account.record(.move(1, before: nil))
    account.record(.move(3, before: nil))
    account.record(.undo(move))
    #expect(account.state.roster.ids == [1, 2, 3])
    let second = account.record(.move(2, before: 1))
    account.record(.delete(3))
    account.record(.undo(second))
    #expect(account.state.roster.ids == [1, 2])
  }

  @Test("of a bump takes its count and its note off its day, whether the goal is active or not")
  func bump() {
    var account = TestAccount.with(.some(1))
    account.count(1, on: "2026-11-18")
    let bump = account.record(
      .bump(1, by: .of(2), note: .of("x")), at: .at("2026-11-18T12:00:00Z"))
    account.turn(on: false, at: "2026-11-01T00:00:00Z")
    account.record(.undo(bump))
    #expect(account.state.roster.goal(1)?.days.all.map(\.count) == [1])
    #expect(account.state.roster.goal(1)?.notes == KeptNotes())
  }

  @Test("of a bump finds the day where the calendar has changed since")
  func recalendared() {
    var account = TestAccount.with(.some(1))
    let bump = account.record(
      .bump(1, by: .one, note: nil), at: .at("2026-11-18T01:00:00Z"))
    account.record(.configure(.init(dayStart: .of("03:00"))))
    account.record(.undo(bump))
    #expect(account.state.roster.goal(1)?.days == DayCounts())
  }

  @Test("of a bump is refused where the day would fall below 0")
  func belowZero() {
    var account = TestAccount.with(.some(1))
    let bump = account.record(.bump(1, by: .of(2), note: nil))
    let back = account.record(.bump(1, by: .of(-1), note: nil))
    #expect(account.send(Edit(.undo(bump))).rejection == .notUndoable)
    account.record(.undo(back))
    account.record(.undo(bump))
    #expect(count(account) == 0)
  }

  @Test("of a skip takes the excuse back")
  func skip() {
    var account = TestAccount.with(.some(1))
    let skip = account.record(.skip(1))
    account.record(.undo(skip))
    #expect(account.state.roster.goal(1)?.days == DayCounts())
    account.record(.skip(1))
    #expect(account.send(Edit(.undo(skip))).rejection == .notUndoable)
  }

  @Test("of a configuration gives back the settings that it changed, if they all stand")
  func configure() {
    var account = TestAccount()
    let configure = account.record(.configure(.init(weekStart: .sunday, dayStart: .of("03:00"))))
    account.record(.configure(.init(dayStart: .of("04:00"))))
    #expect(account.send(Edit(.undo(configure))).rejection == .notUndoable)
    account.record(.configure(.init(dayStart: .of("03:00"))))
    account.record(.undo(configure))
    #expect(account.state.calendar == .initial)
  }

  @Test("of an edit that was never recorded is refused")
  func unknown() {
    var account = TestAccount.with(.some(1))
    #expect(account.send(Edit(.undo(900))).rejection == .unknownEdit)
    // Nor is there an edit with its own id.
    #expect(account.send(Edit(.undo(901)), id: 901).rejection == .unknownEdit)
  }

  @Test("of an edit of a goal that is deleted is refused")
  func deleted() {
    var account = TestAccount.with(.some(1), .some(2))
    let edits = [
      account.record(.alter(1, [.retitling(to: .of("X"))])), account.record(.move(1, before: nil)),
      account.record(.bump(1, by: .one, note: nil)), account.record(.skip(1)),
      account.record(.setActivity(.keyed([1: false]))),
    ]
    account.record(.delete(1))
    for edit in edits { #expect(account.send(Edit(.undo(edit))).rejection == .notUndoable) }
    let add = account.log[1].id
    #expect(account.log[1].edit == Edit(.add(.some(1))))
    #expect(account.send(Edit(.undo(add))).rejection == .notUndoable)
  }
}
