@testable import GoalsCore
import Testing

/// An account to which a test sends edits, one after the other.
struct TestAccount {
  var state: AccountState
  var recorded = RecordedEdits()
  var log: [RecordedEdit] = []
  var now = Instant.at("2026-11-20T12:00:00Z")
  var zones = Zones()
  private var sent: UInt64 = 0

  init(_ state: AccountState = AccountState(), now: Instant = .at("2026-11-20T12:00:00Z")) {
    self.state = state
    self.now = now
  }

  /// An account with these goals, in this order, all of them active.
  static func with(
    _ goals: Goal..., createdAt instant: Instant = .at("2026-11-01T00:00:00Z")
  ) -> TestAccount {
    var account = TestAccount()
    for goal in goals.reversed() { account.record(.add(goal), at: instant) }
    let activity = goals.map { KeyedActivity.Element(goal: $0.id, isActive: true) }
    account.record(.setActivity(.keyed(KeyedActivity(activity))), at: instant)
    return account
  }

  /// The verdict on an edit. An edit that the verdict has recorded is recorded.
  mutating func send(
    _ edit: Edit, id: Edit.ID? = nil, at instant: Instant? = nil, day: Day? = nil
  ) -> Verdict {
    sent += 1
    let proposed = ProposedEdit(
      id: id ?? ID(high: 1, low: sent), at: instant, day: day, edit: edit)
    let verdict = state.judge(
      proposed, from: "phone",
      by: Circumstances(now: now, zones: zones, recorded: recorded))
    if case .record(let edit) = verdict {
      edit.transform(&state)
      log.append(edit)
      recorded.record(edit)
    }
    return verdict
  }

  /// Sends an edit that is to be recorded.
  @discardableResult
  mutating func record(
    _ edit: Edit, at instant: Instant? = nil, location: SourceLocation = #_sourceLocation
  ) -> Edit.ID {
    let verdict = send(edit, at: instant)
    guard case .record(let recorded) = verdict else {
      Issue.record("\(edit) was not recorded: \(verdict)", sourceLocation: location)
      return 0
    }
    return recorded.id
  }

  @discardableResult
  mutating func record(
    _ edit: GoalEdit, at instant: Instant? = nil, location: SourceLocation = #_sourceLocation
  ) -> Edit.ID {
    record(Edit(edit), at: instant, location: location)
  }

  @discardableResult
  mutating func record(
    _ edit: ProgressEdit, at instant: Instant? = nil, location: SourceLocation = #_sourceLocation
  ) -> Edit.ID {
    record(Edit(edit), at: instant, location: location)
  }

  @discardableResult
  mutating func record(
    _ edit: AccountEdit, at instant: Instant? = nil, location: SourceLocation = #_sourceLocation
  ) -> Edit.ID {
    record(Edit(edit), at: instant, location: location)
  }
}

extension Verdict {
  var rejection: Rejection.Code? {
    if case .reject(let rejection) = self { rejection.code } else { nil }
  }

  var recorded: RecordedEdit? {
    if case .record(let edit) = self { edit } else { nil }
  }
}
