import GoalsCore
import GoalsStore
import GoalsWire
import HTTP
import JSON

/// The operations on many edits.
extension Exchange {
  func submitEdits(in world: World) throws(Problem) -> Inquiry {
    var query = query
    let isDryRun = query.flag("dryRun") ?? false
    try query.check()
    let caller = try caller()
    let reader = ProposalReader { world.makeID() }
    let body = try valid(
      BatchBody.read(try json(), edits: 1...limits.edits, by: reader))
    let batch = Batch(
      device: caller.token.name, proposals: body.proposals, isAtomic: body.isAtomic,
      precondition: body.ifVersion.map { .version($0) }, isDryRun: isDryRun)
    let change = Store.Change(account: caller.account, batch: batch)
    return Inquiry(message: .edits(.submit(change))) { reply throws(Problem) in
      guard case .ruled(let ruled) = reply else { return nil }
      let ruling = ruled.ruling
      switch ruling.result {
      case .batchRejected: throw .batchRejected(ruling.outcomes)
      case .versionMismatch: throw .versionMismatch(ruling.version, ruling.outcomes)
      case .decided: break
      }
      var json = JSONWriter(reserving: 64 + 100 * ruling.outcomes.count)
      json.object { json in
        json.member("version", ruling.version)
        json.array("outcomes") { json in
          for outcome in ruling.outcomes { json.value(outcome) }
        }
      }
      return Response(.ok, json: json.bytes)
    }
  }
}

extension Problem {
  fileprivate static func batchRejected(_ outcomes: [Outcome]) -> Problem {
    var problem = Problem(
      .conflict, "batch-rejected",
      "Nothing was recorded, because an edit of the batch was rejected.")
    problem.more = .outcomes(outcomes)
    return problem
  }

  fileprivate static func versionMismatch(
    _ version: GoalsCore.Version, _ outcomes: [Outcome]
  ) -> Problem {
    var problem = Problem(
      .conflict, "version-mismatch", "The account is at version \(version). Nothing was recorded.")
    problem.more = .version(version, outcomes: outcomes)
    return problem
  }
}
