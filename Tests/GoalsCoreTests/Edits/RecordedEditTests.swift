import Testing

@testable import GoalsCore

@Suite("A recorded edit") struct RecordedEditTests {
  private func record(
    _ edit: Edit, _ day: Day? = nil, _ undone: RecordedEdit.Undone? = nil
  ) -> RecordedEdit? {
    RecordedEdit(
      version: Version(2), id: 1, at: .at("2026-11-20T12:00:00Z"),
      recordedAt: .at("2026-11-20T12:00:00Z"), device: "phone", edit: edit, day: day,
      undone: undone, reversal: { _ in Reversal(.remove(1)) })
  }

  private static let counting = [Edit(.bump(1, by: .one, note: nil)), Edit(.skip(1))]
  private static let others = [
    Edit(.add(.some(1))), Edit(.delete(1)), Edit(.update(.some(1))),
    Edit(.alter(1, Goal.Changes([]))), Edit(.setActivity(.keyed([1: true]))),
    Edit(.move(1, before: nil)), Edit(.configure(.init())),
  ]
  private static let undo = Edit(.undo(1))
  private let day = Day.on("2026-11-20")
  private let undone = RecordedEdit.Undone(root: Version(1), effect: .remove(1))

  @Test("counts on a day where it counts, and on none where it does not")
  func days() {
    for edit in Self.counting {
      #expect(record(edit, day)?.day == day)
      #expect(record(edit) == nil)
    }
    for edit in Self.others {
      #expect(record(edit) != nil)
      #expect(record(edit, day) == nil)
    }
    #expect(record(Self.undo, day, undone) == nil)
  }

  @Test("took something back where it is an undo, and nothing where it is none")
  func undos() {
    #expect(record(Self.undo, nil, undone)?.effect == .remove(1))
    #expect(record(Self.undo) == nil)
    for edit in Self.counting { #expect(record(edit, day, undone) == nil) }
    for edit in Self.others { #expect(record(edit, nil, undone) == nil) }
  }

  @Test("has every goal of an activity by its id")
  func activity() {
    #expect(record(Edit(.setActivity(.listed([true])))) == nil)
  }
}
