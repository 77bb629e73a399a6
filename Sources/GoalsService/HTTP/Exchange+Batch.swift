import GoalsCore
import GoalsStore
import GoalsWire
import HTTP
import JSON

/// The operations on many edits.
extension Exchange {
  func submitEdits(in world: World) throws(Problem) -> Inquiry {
    var query = query
    let isDry = query.flag("dryRun") ?? false
    let sent = BatchBody.read(try json(), edits: 1...limits.edits, by: reader(in: world))
    let body = try valid(sent.after(query.faults + faultsOfConditions))
    let change = try change(body, isDryRun: isDry)
    return Inquiry(message: .edits(.submit(change))) { reply throws(Problem) in
      guard case .ruled(let ruled) = reply else { return nil }
      try ruled.checkBatch()
      var json = JSONWriter(reserving: 64 + 100 * ruled.ruling.outcomes.count)
      json.object { json in
        json.member("version", ruled.ruling.version)
        json.member(outcomes: ruled.ruling.outcomes)
      }
      return Response(.ok, json: json.bytes)
    }
  }

  func sync(in world: World) throws(Problem) -> Inquiry {
    let reader = reader(in: world)
    let asked = try body { object in
      (
        BatchBody(from: &object, edits: 0...limits.edits, by: reader),
        object.optional("after", Reading.cursor.orNull) ?? nil,
        object.optional("limit", .integer(Self.pageLimits)) ?? Self.pageLimit
      )
    }
    let (sent, after, limit) = try valid(asked.after(faultsOfConditions))
    let change = try change(sent, isDryRun: false)
    return Inquiry(message: .edits(.sync(change, after: after, limit: limit))) {
      reply throws(Problem) in
      if case .ruled(let ruled) = reply { try ruled.checkBatch() }
      guard case .synced(let outcomes, let reading) = reply else { return nil }
      var json = JSONWriter(reserving: reading.size + 100 * outcomes.count)
      json.object { json in
        json.member(outcomes: outcomes)
        reading.writeMembers(to: &json)
      }
      return Response(.ok, json: json.bytes)
    }
  }

  private func reader(in world: World) -> ProposalReader { ProposalReader { world.makeID() } }

  private func change(_ body: BatchBody, isDryRun: Bool) throws(Problem) -> Store.Change {
    let caller = try caller()
    let batch = Batch(
      device: caller.token.name, proposals: body.proposals, isAtomic: body.isAtomic,
      precondition: body.ifVersion.map { .version($0) }, isDryRun: isDryRun, shows: .nothing)
    return Store.Change(account: caller.account, token: caller.token.id, batch: batch)
  }
}

extension Ruled {
  /// Throws why a batch was refused as a whole, where it was.
  fileprivate func checkBatch() throws(Problem) {
    switch ruling.result {
    case .batchRejected: throw .batchRejected(ruling.outcomes)
    case .versionMismatch: throw .versionMismatch(ruling.version, ruling.outcomes)
    case .noCalendar: throw .noCalendar
    case .accountFull:
      var problem = Problem.accountFull
      problem.more = .version(ruling.version, outcomes: ruling.outcomes)
      throw problem
    case .tooLarge: throw .batchTooLarge
    case .decided: break
    }
  }
}

extension Reading where Value == Cursor {
  fileprivate static var cursor: Reading {
    Reading("a cursor is expected") { $0.string.flatMap { Cursor(String($0)) } }
  }
}

extension Problem {
  fileprivate static let batchTooLarge = Problem(
    .contentTooLarge, "body-too-large",
    "The edits name more than \(AccountState.maximumGoalsNamed) goals in all, each edit counted for "
      + "itself. Send fewer edits at a time. Nothing is recorded now.")

  fileprivate static func batchRejected(_ outcomes: [Outcome]) -> Problem {
    var problem = Problem(
      .conflict, "batch-rejected",
      "Nothing is recorded now, because an edit of the batch was rejected.")
    problem.more = .outcomes(outcomes)
    return problem
  }

  fileprivate static func versionMismatch(
    _ version: GoalsCore.Version, _ outcomes: [Outcome]
  ) -> Problem {
    var problem = Problem(
      .conflict, "version-mismatch",
      "The account is at version \(version). Nothing is recorded now.")
    problem.more = .version(version, outcomes: outcomes)
    return problem
  }
}
