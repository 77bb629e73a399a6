import Testing

@testable import GoalsCore

/// An undo of one of a chain's edits: 0 is the edit at its start, 1 the first undo that was
/// recorded, and so on. Then the day's count; nil where the undo is refused, which changes nothing.
private typealias Link = (target: Int, count: Int?)

@Suite("A chain of undo and redo")
struct UndoChainTests {
  /// The day has 10, to which the edit at the start adds 3.
  private static let chains: [[Link]] = [
    [(0, 10), (0, nil)],
    [(0, 10), (1, 13), (1, nil), (0, 10), (0, nil), (1, nil), (2, nil), (3, 13)],
    [(0, 10), (1, 13), (2, 10), (0, nil), (1, nil), (2, nil), (3, 13), (3, nil)],
    [(0, 10), (1, 13), (2, 10), (3, 13), (0, 10), (4, nil), (3, nil), (5, 13)],
    [(0, 10), (1, 13), (0, 10), (3, 13), (0, 10), (5, 13), (1, nil), (3, nil), (5, nil), (6, 10)],
  ]

  @Test(
    "takes nothing off twice and gives nothing back twice: only its latest can be undone, or its start where that stands",
    arguments: chains)
  private func chain(_ chain: [Link]) {
    var account = TestAccount.living(with: .some(1))
    account.record(.bump(1, by: .of(10), note: nil))
    var edits = [account.record(.bump(1, by: .of(3), note: .of("x")))]
    for link in chain {
      let before = account.state
      let verdict = account.send(Edit(.undo(edits[link.target])))
      if let count = link.count {
        #expect(account.counts() == ["2026-11-20: \(count)"], "\(link)")
        #expect(account.state.roster.goal(1)?.notes.count == (count == 13 ? 1 : 0), "\(link)")
        if let recorded = verdict.recorded { edits.append(recorded.id) }
      } else {
        #expect(verdict.rejection == .notUndoable, "\(link)")
        #expect(account.state == before, "\(link)")
      }
    }
  }

  /// An account with goals 1, 2, 3 and 4, of which 4 is off, something counted and a day excused.
  private static var account: TestAccount {
    var account = TestAccount.living(
      with: .some(1, "Yoga", .weekly, times: 5), .some(2), .some(3), .some(4))
    account.count(4, on: "2026-11-18", "2026-11-20")
    account.turn(4, on: false, at: "2026-11-10T00:00:00Z")
    account.record(.skip(1), at: .at("2026-11-05T12:00:00Z"))
    return account
  }

  private static let edits: [Edit] = [
    Edit(.add(.some(5, "Swim"))), Edit(.delete(1)), Edit(.delete(4)),
    Edit(.update(.some(1, "Run", .monthly, times: 2))),
    Edit(.alter(1, [.retitling(to: .of("Run")), .recolouring(to: .red)])),
    Edit(.alter(1, [.rescheduling(to: .daily), .measuring(in: .of("km"))])),
    Edit(.setActivity(.keyed([1: false, 2: true, 4: true]))),
    Edit(.setActivity(.listed([false, false, true, true]))),
    Edit(.move(1, before: nil)), Edit(.move(4, before: 2)),
    Edit(.bump(1, by: .of(3), note: .of("x"))), Edit(.bump(1, by: .of(-4), note: nil)),
    Edit(.skip(1)),
    Edit(.configure(.init(timeZone: .of("Asia/Kathmandu"), dayStart: .of("03:00")))),
    Edit(.configure(.init(weekStart: .sunday))),
  ]

  @Test("gives back what was before and again what was after, for every type", arguments: edits)
  func everyType(_ edit: Edit) {
    var account = Self.account
    let before = Reading(account.state)
    var target = account.record(edit)
    let after = Reading(account.state)
    #expect(after != before)
    for expected in [before, after, before, after] {
      target = account.record(.undo(target))
      #expect(Reading(account.state) == expected)
    }
  }

  @Test("is there for every type but undo itself")
  func types() {
    #expect(Set(Self.edits.map(\.type)).union([.undo]) == Set(EditType.allCases))
  }

  /// What a person sees: the goals of the list, and the calendar.
  private struct Reading: Hashable {
    let goals: [PresentValues.OfGoal]
    let calendar: CalendarSettings

    init(_ state: AccountState) {
      let values = PresentValues(state)
      goals = values.order.compactMap { id in values.goals.first { $0.goal.id == id } }
      calendar = values.calendar
    }
  }

  @Test("stops where later edits have overtaken it, and goes on where they are gone")
  func overtaken() {
    var account = TestAccount.with(.some(1, "Yoga"))
    let alter = account.record(.alter(1, [.retitling(to: .of("Run"))]))
    let undo = account.record(.undo(alter))
    let other = account.record(.alter(1, [.retitling(to: .of("Swim"))]))
    #expect(account.send(Edit(.undo(undo))).rejection == .notUndoable)
    account.record(.undo(other))
    account.record(.undo(undo))
    #expect(account.state.roster.goal(1)?.goal.title == .of("Run"))
  }

  @Test("stops where a redo would let the day fall below 0")
  func belowZero() {
    var account = TestAccount.living(with: .some(1))
    let first = account.record(.bump(1, by: .of(3), note: nil))
    let minus = account.record(.bump(1, by: .of(-2), note: nil))
    let undo = account.record(.undo(minus))
    account.record(.undo(first))
    #expect(account.counts() == [])
    #expect(account.send(Edit(.undo(undo))).rejection == .notUndoable)
    account.bump(2, at: "2026-11-20T00:00:00Z")
    account.record(.undo(undo))
    #expect(account.counts() == [])
  }

  @Test("stops where its goal is deleted, and goes on once that is taken back")
  func deleted() {
    var account = TestAccount.living(with: .some(1))
    let bump = account.record(.bump(1, by: .of(3), note: nil))
    let undo = account.record(.undo(bump))
    let delete = account.record(.delete(1))
    #expect(account.send(Edit(.undo(undo))).rejection == .notUndoable)
    account.record(.undo(delete))
    account.record(.undo(undo))
    #expect(account.counts() == ["2026-11-20: 3"])
  }

  @Test("says in each of its edits where it began")
  func roots() {
    var account = TestAccount.with(.some(1))
    let bump = account.record(.bump(1, by: .one, note: nil))
    let version = account.state.version
    let undo = account.record(.undo(bump))
    account.record(.undo(undo))
    #expect(account.log.suffix(3).map(\.root) == [version, version, version])
    #expect(account.log.first?.root == Version(1))
  }

  @Test("of deletions restores the goal once for each")
  func deletions() {
    var account = TestAccount.with(.some(1))
    let first = account.record(.delete(1))
    let undo = account.record(.undo(first))
    let second = account.record(.delete(1))
    #expect(account.send(Edit(.undo(first))).rejection == .notUndoable)
    #expect(account.send(Edit(.undo(undo))).rejection == .notUndoable)
    account.record(.undo(second))
    #expect(account.state.roster.ids == [1])
    account.record(.undo(undo))
    #expect(account.state.roster.ids == [])
  }

  @Test("begins with an undo that needs nothing of the log but its target", arguments: edits)
  func ownReversal(_ edit: Edit) throws {
    var account = Self.account
    account.record(edit)
    let target = try #require(account.log.last)
    let verdict = account.state.judge(
      ProposedEdit(id: 900, edit: Edit(.undo(target.id))), from: "phone",
      by: Circumstances(now: account.now, zones: .system, recorded: RecordedEdits([target])))
    #expect(verdict.recorded?.undone?.effect == target.reversal.effect)
  }
}
