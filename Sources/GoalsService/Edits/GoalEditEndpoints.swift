import Digests
import GoalsCore
import GoalsStore
import GoalsWire
import HTTP
import JSON

// The endpoints of which a request is one edit, or two.
extension Endpoint {
  /// An `add`, and with `"active": true` a `setActivity`. Both are recorded, or neither.
  static let addGoal = Endpoint(.post, "/v1/goals", body: .required) { exchange in
    let body = try exchange.json()
    let made: Goal.ID? = Goal.namesID(body) ? nil : exchange.world.makeID()
    let sent = Goal.readWithActivity(
      body, id: made.map { .optional(otherwise: $0) } ?? .required)
    let (conditions, (goal, active)) = try exchange.conditions(with: sent)
    let add = ProposedEdit(id: conditions.key, edit: Edit(.add(goal)), lacksGoalID: made != nil)
    // A new goal is inactive anyway.
    let activity = active == true ? conditions.turning(goal.id, on: true, isMade: made != nil) : nil
    return try exchange.submit(
      [.edit(add)] + (activity.map { [$0] } ?? []), of: goal.id, under: conditions,
      showing: { .goal($0.made ?? goal.id) }
    ) { batch in
      let item = try batch.existing(batch.made ?? goal.id)
      return Response(
        .created, fields: [.location: "/v1/goals/\(item.goal.id)"], json: item.json)
    }
  }

  /// An `add` or an `update`, and a `setActivity` where the body says `active`. Both are recorded,
  /// or neither.
  static let putGoal = Endpoint(.put, "/v1/goals/{id}", body: .required) { exchange in
    let id = try exchange.goalID
    let sent = Goal.readWithActivity(try exchange.json(), id: .fixed(id))
    let (conditions, (goal, active)) = try exchange.conditions(with: sent)
    let activity = active.map { conditions.turning(id, on: $0) }
    return try exchange.submit(
      [.put(goal, id: conditions.key, at: nil)] + (activity.map { [$0] } ?? []), of: id,
      under: conditions, showing: { _ in .goal(id) }
    ) { batch in
      let isNew = batch.ruling.outcomes.first?.recorded?.edit.type == .add
      return Response(isNew ? .created : .ok, json: try batch.existing(id).json)
    }
  }

  /// An `alter`, a `setActivity`, or both. Where there are two, both are recorded, or neither.
  static let patchGoal = Endpoint(.patch, "/v1/goals/{id}", body: .patch) { exchange in
    let id = try exchange.goalID
    let sent = GoalPatch.read(try exchange.json(), id: id)
    let (conditions, patch) = try exchange.conditions(with: sent)
    let isAltered = !patch.changes.isEmpty || patch.active == nil
    let alter = ProposedEdit(id: conditions.key, edit: Edit(.alter(id, patch.changes)))
    let activity = patch.active.map { conditions.turning(id, on: $0, isSecond: isAltered) }
    return try exchange.submit(
      (isAltered ? [.edit(alter)] : []) + (activity.map { [$0] } ?? []), showingGoal: id,
      under: conditions)
  }

  static let deleteGoal = Endpoint(.delete, "/v1/goals/{id}") { exchange in
    let id = try exchange.goalID
    let (conditions, _) = try exchange.conditions(with: .valid(()))
    let proposal = Proposal.edit(ProposedEdit(id: conditions.key, edit: Edit(.delete(id))))
    return try exchange.submit([proposal], of: id, shows: .state, under: conditions) { _ in
      Response(.noContent)
    }
  }

  static let bumpGoal = Endpoint(
    .post, "/v1/goals/{id}/bump", body: .optional, for: .writersAndButtons
  ) { exchange in
    let id = try exchange.goalID
    let sent = try exchange.body { object in
      (
        object.optional("by", .increment) ?? .one, object.optional("at", .instant),
        object.optional("note", .note), object.optional("day", .day)
      )
    }
    let (conditions, (by, at, note, day)) = try exchange.conditions(with: sent)
    if try exchange.caller.token.scope == .bump, by.value < 1 || note != nil {
      throw Problem.forbidden(needing: .count)
    }
    let edit = ProposedEdit(
      id: conditions.key, at: at, day: day, edit: Edit(.bump(id, by: by, note: note)))
    return try exchange.submit([.edit(edit)], showingGoal: id, under: conditions)
  }

  static let skipGoal = Endpoint(
    .post, "/v1/goals/{id}/skip", body: .optional, for: .counters
  ) { exchange in
    let id = try exchange.goalID
    let sent = try exchange.body { ($0.optional("at", .instant), $0.optional("day", .day)) }
    let (conditions, (at, day)) = try exchange.conditions(with: sent)
    let edit = ProposedEdit(id: conditions.key, at: at, day: day, edit: Edit(.skip(id)))
    return try exchange.submit([.edit(edit)], showingGoal: id, under: conditions)
  }

  static let moveGoal = Endpoint(.post, "/v1/goals/{id}/move", body: .required) { exchange in
    let id = try exchange.goalID
    let sent = try exchange.body { $0.required("before", Reading<Goal.ID>.id().orNull) }
    let (conditions, before) = try exchange.conditions(with: sent)
    let edit = ProposedEdit(id: conditions.key, edit: Edit(.move(id, before: before ?? nil)))
    return try exchange.submit([.edit(edit)], showingGoal: id, under: conditions)
  }

  static let setActivity = Endpoint(.put, "/v1/activity", body: .required) { exchange in
    let sent = try exchange.body { $0.validated("activity", Activity.read) }
    let (conditions, activity) = try exchange.conditions(with: sent)
    guard let activity else { throw Problem.invalid("/activity", "activity is missing") }
    let edit = ProposedEdit(id: conditions.key, edit: Edit(.setActivity(activity)))
    return try exchange.submit(
      [.edit(edit)], of: nil, under: conditions, showing: { _ in .list }
    ) { batch in
      guard let listing = batch.listing else { throw exchange.internalError() }
      return Response(.ok, fields: [.entityTag: listing.tag.description], json: listing.json)
    }
  }

  static let undoEdit = Endpoint(
    .post, "/v1/edits/{id}/undo", body: .optional, for: .counters
  ) { exchange in
    let id = try exchange.editID
    let sent = try exchange.body { $0.optional("at", .instant) }
    let (conditions, at) = try exchange.conditions(with: sent)
    let edit = ProposedEdit(id: conditions.key, at: at, edit: Edit(.undo(id)))
    return try exchange.submit([.edit(edit)], of: nil, shows: .state, under: conditions) { batch in
      var json = JSONWriter()
      if let outcome = batch.ruling.outcomes.first { json.value(outcome) }
      return Response(.ok, json: json.bytes)
    }
  }
}

extension Exchange {
  /// Sends the parts of one change of a goal, and shows the goal.
  fileprivate func submit(
    _ proposals: [Proposal], showingGoal id: Goal.ID, under conditions: WriteConditions
  ) throws -> Message {
    try submit(proposals, of: id, under: conditions, showing: { _ in .goal(id) }) {
      batch in Response(.ok, json: try batch.existing(id).json)
    }
  }

  /// Sends the parts of one change, and shows what came of them.
  fileprivate func submit(
    _ proposals: [Proposal], of goal: Goal.ID?, shows: Batch.Shown = .progress,
    under conditions: WriteConditions,
    showing shown: @escaping @Sendable (DecidedBatch) -> DecidedBatch.Part = { _ in .nothing },
    _ show: @escaping @Sendable (DecidedBatch) throws -> Response
  ) throws -> Message {
    let sent = try sentBatch(proposals, of: goal, shows: shows, under: conditions)
    return .edits(
      .submit(
        sent,
        answeringBatch(showing: { $0.isRefused ? .nothing : shown($0) }) { batch in
          try batch.check()
          return try show(batch)
        }))
  }

  func sentBatch(
    _ proposals: [Proposal], of goal: Goal.ID?, shows: Batch.Shown,
    under conditions: WriteConditions
  ) throws -> Store.SentBatch {
    let caller = try caller
    let batch = Batch(
      device: caller.token.name, proposals: proposals, isAtomic: true, isOneChange: true,
      precondition: conditions.precondition(on: goal), shows: shows,
      undoesOnlyOwn: caller.token.scope != .write)
    return Store.SentBatch(account: caller.account, token: caller.token.id, batch: batch)
  }

  /// Makes the response to a batch where neither the writer nor anybody else waits, and sends it.
  func answeringBatch(
    showing shown: @escaping @Sendable (DecidedBatch) -> DecidedBatch.Part = { _ in .nothing },
    _ show: @escaping @Sendable (DecidedBatch) throws -> Response
  ) -> Completion<DecidedBatch> {
    { [self] result in
      guard case .success(let batch) = result else { return answer(result, show) }
      leavingTheWriter { [self] in
        let shown = shown(batch)
        if batch.read(shown, FairQueue.stepsHere) { return send(result, show) }
        queues.folds.finish(of: batch.account) { [self] steps in
          guard batch.read(shown, steps) else { return false }
          send(result, show)
          return true
        }
      }
    }
  }
}

extension DecidedBatch {
  /// Throws the reason where none of the edits is recorded.
  func check() throws {
    switch ruling.result {
    case .versionMismatch: throw Problem.preconditionFailed(tag?.description)
    case .accountFull: throw Problem.accountFull
    case .noCalendar, .tooLarge, .decided, .batchRejected: break
    }
    if let rejection = ruling.outcomes.lazy.compactMap(\.rejection).first {
      throw Problem(rejection)
    }
  }

  /// The validator of the list in that state; nil where the batch shows none, or no calendar can be
  /// had.
  private var tag: EntityTag? {
    guard let state = ruling.state, let calendar = ruling.calendar else { return nil }
    return EntityTag(cursor, validUntil: state.validUntil(at: now, in: calendar))
  }

  /// The goal that was made, now or when the edit was recorded.
  fileprivate var made: Goal.ID? { ruling.outcomes.first?.recorded?.effect.goals.first }

  /// A goal of the list. A retry does not find one that was deleted since.
  fileprivate func existing(_ id: Goal.ID) throws -> Goals.Item {
    guard let item = item(id) else { throw Problem.unknownGoal }
    return item
  }
}

extension WriteConditions {
  /// The part of a request that turns its goal on or off.
  ///
  /// - Parameters:
  ///   - isMade: whether the goal has an id that the server made for this request.
  ///   - isSecond: whether another edit of the request comes before it.
  fileprivate func turning(
    _ goal: Goal.ID, on isActive: Bool, isMade: Bool = false, isSecond: Bool = true
  ) -> Proposal {
    let activity = KeyedActivity([KeyedActivity.Element(goal: goal, isActive: isActive)])
    return .edit(
      ProposedEdit(
        id: isSecond ? key.derived : key, edit: Edit(.setActivity(.keyed(activity))),
        lacksGoalID: isMade))
  }
}

extension Edit.ID {
  /// The id of a request's second edit: a UUIDv8 (RFC 9562 §5.8) made of the first's.
  fileprivate var derived: Edit.ID {
    let digest = SHA256.digest(of: Array("goals/second-edit\n".utf8) + bytes)
    let halves = [digest[..<8], digest[8..<16]].map { half in
      half.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    }
    return Edit.ID(
      high: halves[0] & ~0xF000 | 0x8000,
      low: halves[1] & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000)
  }
}
