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
    let goal = try valid(Goal.read(body, id: made.map { .optional(otherwise: $0) } ?? .required))
    let proposal = Proposal.edit(
      ProposedEdit(
        id: try editKey(in: world), edit: Edit(.add(goal)), lacksGoalID: made != nil))
    return try inquiry([proposal]) { ruled throws(Problem) in
      let recorded = ruled.ruling.outcomes.first?.recorded
      let entry = try ruled.existing(recorded?.effect.goals.first ?? goal.id)
      return Response(
        .created, fields: ["Location": "/v1/goals/\(entry.goal.id)"], json: entry.json)
    }
  }

  func putGoal(in world: World) throws(Problem) -> Inquiry {
    let id = try goalID()
    let goal = try valid(Goal.read(try json(), id: .fixed(id)))
    let proposal = Proposal.put(goal, id: try editKey(in: world), at: nil)
    return try inquiry([proposal]) { ruled throws(Problem) in
      let isNew = ruled.ruling.outcomes.first?.recorded?.edit.type == .add
      return Response(isNew ? .created : .ok, json: try ruled.existing(id).json)
    }
  }

  /// An `alter`, a `setActivity`, or both: of which neither or both are recorded.
  func patchGoal(in world: World) throws(Problem) -> Inquiry {
    let id = try goalID()
    let patch = try valid(GoalPatch.read(try json(), id: id))
    let key = try editKey(in: world)
    var edits: [Edit] = []
    if !patch.changes.isEmpty || patch.active == nil {
      edits.append(Edit(.alter(id, patch.changes)))
    }
    if let active = patch.active {
      edits.append(
        Edit(.setActivity(.keyed(KeyedActivity([.init(goal: id, isActive: active)])))))
    }
    let proposals = zip(edits, [key, key.derived]).map { edit, key in
      Proposal.edit(ProposedEdit(id: key, edit: edit))
    }
    return try inquiry(proposals) { ruled throws(Problem) in
      Response(.ok, json: try ruled.existing(id).json)
    }
  }

  func deleteGoal(in world: World) throws(Problem) -> Inquiry {
    try inquiry(Edit(.delete(try goalID())), in: world) { _ in Response(.noContent) }
  }

  func bumpGoal(in world: World) throws(Problem) -> Inquiry {
    let id = try goalID()
    let (by, at, note) = try body { object in
      (
        object.optional("by", .increment) ?? .one, object.optional("at", .instant),
        object.optional("note", .note)
      )
    }
    if try caller().token.scope == .bump, by.value < 1 { throw .forbidden }
    return try inquiry(Edit(.bump(id, by: by, note: note)), at: at, in: world) {
      ruled throws(Problem) in
      Response(.ok, json: try ruled.existing(id).json)
    }
  }

  func skipGoal(in world: World) throws(Problem) -> Inquiry {
    let id = try goalID()
    let at = try body { $0.optional("at", .instant) }
    return try inquiry(Edit(.skip(id)), at: at, in: world) { ruled throws(Problem) in
      Response(.ok, json: try ruled.existing(id).json)
    }
  }

  func moveGoal(in world: World) throws(Problem) -> Inquiry {
    let id = try goalID()
    let before = try body { $0.required("before", Reading<Goal.ID>.id().orNull) }
    return try inquiry(Edit(.move(id, before: before ?? nil)), in: world) {
      ruled throws(Problem) in
      Response(.ok, json: try ruled.existing(id).json)
    }
  }

  func setActivity(in world: World) throws(Problem) -> Inquiry {
    let activity = try body { $0.validated("activity", Activity.read) }
    guard let activity else { throw .invalid("/activity", "activity is missing") }
    if case .listed = activity, try ifMatch() == nil { throw .versionRequired }
    return try inquiry(Edit(.setActivity(activity)), in: world) { ruled in
      let listing = ruled.listing
      return Response(.ok, fields: ["ETag": listing.tag.description], json: listing.json)
    }
  }

  func undoEdit(in world: World) throws(Problem) -> Inquiry {
    let id = try editID()
    let at = try body { $0.optional("at", .instant) }
    return try inquiry(Edit(.undo(id)), at: at, in: world) { ruled in
      var json = JSONWriter()
      if let outcome = ruled.ruling.outcomes.first { json.value(outcome) }
      return Response(.ok, json: json.bytes)
    }
  }

  func configureAccount(in world: World) throws(Problem) -> Inquiry {
    let read = try body { object in
      object.ignore(["id", "name", "version", "cursor", "createdAt"])
      return CalendarSettings.Changes.readPatch(from: &object)
    }
    let changes: CalendarSettings.Changes
    switch read {
    case .success(let asked)?: changes = asked
    case .failure(let rejection)?: throw Problem(rejection)
    case nil: throw .invalid([])
    }
    let edit = ProposedEdit(id: try editKey(in: world), edit: Edit(.configure(changes)))
    let change = try change([.edit(edit)])
    return Inquiry(message: .account(.configure(change))) { reply throws(Problem) in
      guard case .configured(let ruled, let reading) = reply else { return nil }
      try ruled.check()
      return Response(.ok, json: reading.json)
    }
  }

  // MARK: One edit

  private func inquiry(
    _ edit: Edit, at: Instant? = nil, in world: World,
    present: @escaping @Sendable (Ruled) throws(Problem) -> Response?
  ) throws(Problem) -> Inquiry {
    let proposed = ProposedEdit(id: try editKey(in: world), at: at, edit: edit)
    return try inquiry([.edit(proposed)], present: present)
  }

  /// Sends edits of which all or none are to be recorded, and shows what came of them.
  private func inquiry(
    _ proposals: [Proposal], present: @escaping @Sendable (Ruled) throws(Problem) -> Response?
  ) throws(Problem) -> Inquiry {
    let change = try change(proposals)
    return Inquiry(message: .edits(.submit(change))) { reply throws(Problem) in
      guard case .ruled(let ruled) = reply else { return nil }
      try ruled.check()
      return try present(ruled)
    }
  }

  private func change(_ proposals: [Proposal]) throws(Problem) -> Store.Change {
    let caller = try caller()
    let batch = Batch(
      device: caller.token.name, proposals: proposals, isAtomic: true, precondition: try ifMatch())
    return Store.Change(account: caller.account, batch: batch)
  }

  /// The id of the request's edit: what the client says, or a new one.
  private func editKey(in world: World) throws(Problem) -> Edit.ID {
    try idempotencyKey() ?? world.makeID()
  }
}

extension Ruled {
  /// Throws why nothing of the edits is recorded, where that is so.
  fileprivate func check() throws(Problem) {
    if ruling.result == .versionMismatch { throw .preconditionFailed(listing.tag) }
    if let rejection = ruling.outcomes.lazy.compactMap(\.rejection).first {
      throw Problem(rejection)
    }
  }

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

extension Problem {
  static func preconditionFailed(_ current: EntityTag) -> Problem {
    var problem = Problem(
      .preconditionFailed, "version-mismatch", "The goals have changed since: see ETag.")
    problem.fields.append("ETag", current.description)
    return problem
  }
}
