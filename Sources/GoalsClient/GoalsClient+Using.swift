import ChangePropagation
import Foundation
import GoalsCore
import GoalsReplica
import Synchronization

/// Why an edit was not made.
public enum EditFailure: Error, Hashable, Sendable {
  /// It breaks a rule, or does not fit the list; a sentence for a person says which.
  case rejected(Rejection)
  /// It would change nothing.
  case unchanged
  /// The device could not keep it: its disk is full, or fails. It is gone, unless the error is
  /// uncertain. Nil where the folder was not read yet.
  case notKept(FileError?)
}

extension EditFailure: LocalizedError {
  /// A sentence for a person.
  public var errorDescription: String? {
    switch self {
    case .rejected(let rejection): rejection.detail
    case .unchanged: "That is so already."
    case .notKept(let error?) where error.isUncertain:
      "This device may have kept it, or not: it \(error)."
    case .notKept(let error):
      "This device could not keep it" + (error.map { ": it \($0)." } ?? ".")
    }
  }
}

extension GoalsClient {
  /// Uses a token of the account, and begins to speak with the server. A token of another account
  /// is not used: `status` says so.
  public func signIn(token: String) {
    network.sync {
      link.use(token)
      shell.withLock { $0.isSignedIn = true }
      if folder.leads { announce(.signedIn) }
    }
  }

  /// Looks at the server at once. Call it when a person looks at the app again.
  public func cameToFront() { announce(.cameToFront) }

  /// The person has seen why these were rejected.
  public func dismiss(_ ids: [Edit.ID]) { announce(.dismissed(ids)) }

  /// The person has seen that a file was damaged. The file stays.
  public func dismissDamage() {
    // What can't be removed is told once more.
    try? folder.forgetDamage()
    announce(.dismissed([]))
  }

  /// Makes an edit, and returns when it is durable on this device. Whether it reached the server is
  /// in `status`.
  ///
  /// - Parameters:
  ///   - at: when it happened; nil for now.
  ///   - day: for a bump or a skip, the day that a person means; nil for the day of `at`.
  /// - Returns: the edit's id, by which it can be undone.
  @discardableResult
  public func make(
    _ edit: Edit, at: Instant? = nil, on day: Day? = nil
  ) async throws(EditFailure) -> Edit.ID {
    let proposed = ProposedEdit(id: world.makeID(), at: at, day: day, edit: edit)
    try await make([proposed])
    return proposed.id
  }

  /// Makes several edits now, in this order and in one durable step: after a crash the device has
  /// all of them or none. Each is judged after those before it.
  ///
  /// - Returns: their ids, in order.
  /// - Throws: the failure of the first edit that was not made. The edits without a failure are
  ///   made.
  @discardableResult
  public func make(_ edits: [Edit]) async throws(EditFailure) -> [Edit.ID] {
    let proposed = edits.map { ProposedEdit(id: world.makeID(), edit: $0) }
    try await make(proposed)
    return proposed.map { $0.id }
  }

  private func make(_ edits: [ProposedEdit]) async throws(EditFailure) {
    guard !edits.isEmpty else { return }
    let answers = Answers(to: edits.map { $0.id })
    let failure = await withCheckedContinuation { continuation in
      answers.begin(continuation)
      shell.withLock { shell in
        for edit in edits { shell.waiting[edit.id] = { answers.take($0, for: edit.id) } }
      }
      announce(.edited(edits))
    }
    if let failure { throw failure }
  }

  /// Why this device could not keep the last change, of an edit or of the log, or why it can keep
  /// none; nil where it did.
  public var fault: FileError? { shell.withLock(\.fault) }

  /// Waits until the status is as asked, for so long at most.
  ///
  /// - Returns: whether it came to be so.
  @discardableResult
  public func wait(
    atMost patience: Duration, until isReached: @escaping @Sendable (Status) -> Bool
  ) async -> Bool {
    let waiter = Waiter()
    return await withCheckedContinuation { continuation in
      waiter.begin(continuation)
      status.observe(withContext: waiter) { waiter, status in
        if isReached(status) { waiter.end(true) }
      }
      world.after(patience, network.queue) { waiter.end(false) }
    }
  }

  /// The history of a goal in a range of days; nil for an unknown goal, or where the account's time
  /// zone is not known.
  public func history(of goal: Goal.ID, in days: HistoryWindow) -> GoalHistory? {
    let device = device.current
    let now = world.now().adding(milliseconds: device.replica.clockOffset)
    guard let calendar = device.calendar, let range = days.days(today: calendar.day(of: now)),
      let tracked = device.replica.shown.roster.listed(goal)
    else { return nil }
    let streak = tracked.streak(at: now, in: calendar)
    return tracked.history(of: range, at: now, in: calendar, streak)
  }

  /// The replica as it is now: all that this device knows of the account.
  public var replica: Replica { device.current.replica }

  /// The account's calendar; nil where its time zone is not known.
  public var calendar: GoalCalendar? { device.current.calendar }

  /// The account's day of the present instant; nil where its time zone is not known.
  public var today: Day? {
    let device = device.current
    let now = world.now().adding(milliseconds: device.replica.clockOffset)
    return device.calendar?.day(of: now)
  }

  /// The edits of this device of the last 30 days that stand and can be taken back, last first.
  public var undoable: [OwnEdit] {
    let replica = device.current.replica
    let own = replica.kept.own.all.filter { edit in
      if case .rejected = edit.standing { false } else { edit.proposed.edit.undone == nil }
    }
    let undone = Set(replica.kept.own.all.compactMap(\.proposed.edit.undone))
    return own.reversed().filter { !undone.contains($0.id) }
  }

  /// Ends the requests, and lets another client of the folder lead. What was made is durable.
  public func close() {
    network.sync {
      let ear = shell.withLock { shell in
        shell.isClosed = true
        shell.life += 1
        return shell.ear
      }
      ear?.cancel()
      alarm.set(nil) {}
      link.close()
      folder.close()
    }
  }
}

/// Somebody who waits for the first of two things.
private final class Waiter: Sendable {
  private let continuation = Mutex<CheckedContinuation<Bool, Never>?>(nil)

  func begin(_ continuation: CheckedContinuation<Bool, Never>) {
    self.continuation.withLock { $0 = continuation }
  }

  func end(_ result: Bool) {
    let continuation = continuation.withLock { continuation in
      defer { continuation = nil }
      return continuation
    }
    continuation?.resume(returning: result)
  }
}

/// Gathers what becomes of edits that are made together.
private final class Answers: Sendable {
  private struct Gathered {
    var results: [Edit.ID: Result<Void, EditFailure>] = [:]
    var continuation: CheckedContinuation<EditFailure?, Never>?
  }

  private let ids: [Edit.ID]
  private let gathered = Mutex(Gathered())

  init(to ids: [Edit.ID]) { self.ids = ids }

  func begin(_ continuation: CheckedContinuation<EditFailure?, Never>) {
    gathered.withLock { $0.continuation = continuation }
  }

  /// Ends with the last of them: with the failure of the first that failed, or with none.
  func take(_ result: Result<Void, EditFailure>, for id: Edit.ID) {
    gathered.withLock { gathered in
      gathered.results[id] = result
      guard gathered.results.count == ids.count else { return }
      let failures = ids.compactMap { id -> EditFailure? in
        if case .failure(let failure)? = gathered.results[id] { failure } else { nil }
      }
      gathered.continuation?.resume(returning: failures.first)
      gathered.continuation = nil
    }
  }
}
