import Crypto
import GoalsCore
import GoalsStore
import GoalsWire
import HTTP
import JSON

/// The operations that are one edit, or two.
extension Exchange {
  func addGoal(in world: World) throws(Problem) -> Inquiry {
    let body = try json()
    let made: Goal.ID? = Goal.namesID(body) ? nil : world.makeID()
    let sent = Goal.read(body, id: made.map { .optional(otherwise: $0) } ?? .required)
    let (terms, goal) = try terms(with: sent, in: world)
    let proposal = Proposal.edit(
      ProposedEdit(id: terms.key, edit: Edit(.add(goal)), lacksGoalID: made != nil))
    return try inquiry(
      [proposal], of: goal.id, under: terms, showing: { .goal($0.made ?? goal.id) }
    ) {
      ruled throws(Problem) in
      let entry = try ruled.existing(ruled.made ?? goal.id)
      return Response(
        .created, fields: [.location: "/v1/goals/\(entry.goal.id)"], json: entry.json)
    }
  }

  func putGoal(in world: World) throws(Problem) -> Inquiry {
    let id = try goalID()
    let sent = Goal.read(try json(), id: .fixed(id))
    let (terms, goal) = try terms(with: sent, in: world)
    let proposal = Proposal.put(goal, id: terms.key, at: nil)
    return try inquiry([proposal], of: id, under: terms, showing: { _ in .goal(id) }) {
      ruled throws(Problem) in
      let isNew = ruled.ruling.outcomes.first?.recorded?.edit.type == .add
      return Response(isNew ? .created : .ok, json: try ruled.existing(id).json)
    }
  }

  /// An `alter`, a `setActivity`, or both: of which neither or both are recorded.
  func patchGoal(in world: World) throws(Problem) -> Inquiry {
    let id = try goalID()
    let sent = GoalPatch.read(try json(), id: id)
    let (terms, patch) = try terms(with: sent, in: world)
    var edits: [Edit] = []
    if !patch.changes.isEmpty || patch.active == nil {
      edits.append(Edit(.alter(id, patch.changes)))
    }
    if let active = patch.active {
      edits.append(
        Edit(.setActivity(.keyed(KeyedActivity([.init(goal: id, isActive: active)])))))
    }
    let proposals = zip(edits, [terms.key, terms.key.derived]).map { edit, key in
      Proposal.edit(ProposedEdit(id: key, edit: edit))
    }
    return try inquiry(proposals, of: id, under: terms, showing: { _ in .goal(id) }) {
      ruled throws(Problem) in
      Response(.ok, json: try ruled.existing(id).json)
    }
  }

  func deleteGoal(in world: World) throws(Problem) -> Inquiry {
    let id = try goalID()
    let (terms, _) = try terms(with: .valid(()), in: world)
    return try inquiry(Edit(.delete(id)), of: id, shows: .state, under: terms) { _ in
      Response(.noContent)
    }
  }

  func bumpGoal(in world: World) throws(Problem) -> Inquiry {
    let id = try goalID()
    let sent = try body { object in
      (
        object.optional("by", .increment) ?? .one, object.optional("at", .instant),
        object.optional("note", .note)
      )
    }
    let (terms, (by, at, note)) = try terms(with: sent, in: world)
    if try caller().token.scope == .bump, by.value < 1 { throw .forbidden }
    let edit = Edit(.bump(id, by: by, note: note))
    return try inquiry(edit, of: id, at: at, under: terms, showing: { _ in .goal(id) }) {
      ruled throws(Problem) in
      Response(.ok, json: try ruled.existing(id).json)
    }
  }

  func skipGoal(in world: World) throws(Problem) -> Inquiry {
    let id = try goalID()
    let sent = try body { $0.optional("at", .instant) }
    let (terms, at) = try terms(with: sent, in: world)
    return try inquiry(Edit(.skip(id)), of: id, at: at, under: terms, showing: { _ in .goal(id) }) {
      ruled throws(Problem) in
      Response(.ok, json: try ruled.existing(id).json)
    }
  }

  func moveGoal(in world: World) throws(Problem) -> Inquiry {
    let id = try goalID()
    let sent = try body { $0.required("before", Reading<Goal.ID>.id().orNull) }
    let (terms, before) = try terms(with: sent, in: world)
    let edit = Edit(.move(id, before: before ?? nil))
    return try inquiry(edit, of: id, under: terms, showing: { _ in .goal(id) }) {
      ruled throws(Problem) in
      Response(.ok, json: try ruled.existing(id).json)
    }
  }

  func setActivity(in world: World) throws(Problem) -> Inquiry {
    let sent = try body { $0.validated("activity", Activity.read) }
    let (terms, activity) = try terms(with: sent, in: world)
    guard let activity else { throw .invalid("/activity", "activity is missing") }
    let edit = Edit(.setActivity(activity))
    return try inquiry(edit, under: terms, showing: { _ in .list }) { ruled in
      guard let listing = ruled.listing else { return nil }
      return Response(.ok, fields: [.entityTag: listing.tag.description], json: listing.json)
    }
  }

  func undoEdit(in world: World) throws(Problem) -> Inquiry {
    let id = try editID()
    let sent = try body { $0.optional("at", .instant) }
    let (terms, at) = try terms(with: sent, in: world)
    return try inquiry(Edit(.undo(id)), at: at, shows: .state, under: terms) { ruled in
      var json = JSONWriter()
      if let outcome = ruled.ruling.outcomes.first { json.value(outcome) }
      return Response(.ok, json: json.bytes)
    }
  }

  func configureAccount(in world: World) throws(Problem) -> Inquiry {
    let sent = try body { object in
      object.ignore(["id", "name", "version", "cursor", "createdAt"])
      return CalendarSettings.Changes.readPatch(from: &object)
    }
    let (terms, read) = try terms(with: sent, in: world)
    let changes: CalendarSettings.Changes
    switch read {
    case .success(let asked)?: changes = asked
    case .failure(let rejection)?: throw Problem(rejection)
    case nil: throw .invalid([])
    }
    let edit = ProposedEdit(id: terms.key, edit: Edit(.configure(changes)))
    let change = try change([.edit(edit)], of: nil, shows: .state, under: terms)
    return Inquiry(message: .account(.configure(change))) { reply throws(Problem) in
      guard case .configured(let ruled, let reading) = reply else { return nil }
      try ruled.check()
      return Response(.ok, json: reading.json)
    }
  }

  // MARK: One edit

  private func inquiry(
    _ edit: Edit, of goal: Goal.ID? = nil, at: Instant? = nil, shows: Batch.Shown = .progress,
    under terms: Terms,
    showing shown: @escaping @Sendable (Ruled) -> Ruled.Shown = { _ in .nothing },
    present: @escaping @Sendable (Ruled) throws(Problem) -> Response?
  ) throws(Problem) -> Inquiry {
    let proposed = ProposedEdit(id: terms.key, at: at, edit: edit)
    return try inquiry(
      [.edit(proposed)], of: goal, shows: shows, under: terms, showing: shown, present: present)
  }

  /// Sends the parts of one change, and shows what came of them.
  private func inquiry(
    _ proposals: [Proposal], of goal: Goal.ID?, shows: Batch.Shown = .progress, under terms: Terms,
    showing shown: @escaping @Sendable (Ruled) -> Ruled.Shown = { _ in .nothing },
    present: @escaping @Sendable (Ruled) throws(Problem) -> Response?
  ) throws(Problem) -> Inquiry {
    let change = try change(proposals, of: goal, shows: shows, under: terms)
    var inquiry = Inquiry(message: .edits(.submit(change))) { reply throws(Problem) in
      guard case .ruled(let ruled) = reply else { return nil }
      try ruled.check()
      return try present(ruled)
    }
    inquiry.shown = { $0.isRefused ? .nothing : shown($0) }
    return inquiry
  }

  private func change(
    _ proposals: [Proposal], of goal: Goal.ID?, shows: Batch.Shown, under terms: Terms
  ) throws(Problem) -> Store.Change {
    let caller = try caller()
    let batch = Batch(
      device: caller.token.name, proposals: proposals, isAtomic: true, isOneChange: true,
      precondition: terms.precondition(on: goal), shows: shows)
    return Store.Change(account: caller.account, token: caller.token.id, batch: batch)
  }
}

extension Ruled {
  /// Throws why nothing of the edits is recorded, where that is so.
  fileprivate func check() throws(Problem) {
    switch ruling.result {
    case .versionMismatch: throw .preconditionFailed(tag?.description)
    case .accountFull: throw .accountFull
    case .noCalendar, .tooLarge, .decided, .batchRejected: break
    }
    if let rejection = ruling.outcomes.lazy.compactMap(\.rejection).first {
      throw Problem(rejection)
    }
  }

  /// The goal that was made, now or when the edit was recorded.
  fileprivate var made: Goal.ID? { ruling.outcomes.first?.recorded?.effect.goals.first }

  /// A goal of the list. One that is gone since, a retry no longer finds.
  fileprivate func existing(_ id: Goal.ID) throws(Problem) -> Goals.Entry {
    guard let entry = entry(id) else { throw .unknownGoal }
    return entry
  }
}

extension Edit.ID {
  /// The id of a request's second edit: a UUIDv8 (RFC 9562 §5.8) made of the first's.
  fileprivate var derived: Edit.ID {
    let digest = Array(SHA256.hash(data: Array("goals/second-edit\n".utf8) + bytes))
    let halves = [digest[..<8], digest[8..<16]].map { half in
      half.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    }
    return Edit.ID(
      high: halves[0] & ~0xF000 | 0x8000,
      low: halves[1] & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000)
  }
}
