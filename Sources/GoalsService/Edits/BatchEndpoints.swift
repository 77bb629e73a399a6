import GoalsCore
import GoalsStore
import GoalsWire
import HTTP
import JSON

// The endpoints of which a request is many edits, and those that read the log.
extension Endpoint {
  static let submitEdits = Endpoint(
    .post, "/v1/edits", query: ["dryRun"], body: .required, for: .counters
  ) { exchange in
    var query = exchange.query
    let isDry = query.flag("dryRun") ?? false
    let read = BatchBody.read(
      try exchange.json(), edits: 1...exchange.limits.edits, by: exchange.proposalReader)
    let body = try exchange.valid(read.after(query.faults))
    let sent = try exchange.sentBatch(body, isDryRun: isDry)
    let completion = exchange.answeringBatch { batch in
      try batch.checkWhole()
      var json = JSONWriter(reserving: 64 + 100 * batch.ruling.outcomes.count)
      json.object { json in
        json.member("version", batch.ruling.version)
        json.member(outcomes: batch.ruling.outcomes)
      }
      return Response(.ok, json: json.bytes)
    }
    return .edits(.submit(sent, completion))
  }

  static let sync = Endpoint(.post, "/v1/sync", body: .required, for: .counters) { exchange in
    let reader = exchange.proposalReader
    let asked = try exchange.body { object in
      (
        BatchBody(from: &object, edits: 0...exchange.limits.edits, by: reader),
        object.optional("after", Reading.cursor.orNull) ?? nil,
        object.optional("limit", .integer(LogView.limits)) ?? LogView.limit,
        object.optional("list", Reading.string.orNull)
      )
    }
    let (body, after, limit, tag) = try exchange.valid(asked)
    let list = tag.map { tag in AskedList { $0.tag.description == tag } }
    let sent = try exchange.sentBatch(
      body, isDryRun: false, shows: list == nil ? .nothing : .progress)
    let completion = exchange.answeringPacked { (synced: Synced) in
      switch synced {
      case .log(let outcomes, let log, let list):
        var json = JSONWriter(reserving: log.size + 100 * outcomes.count + (list?.size ?? 0))
        json.object { json in
          json.member(outcomes: outcomes)
          log.writeMembers(to: &json)
          list?.writeMember(to: &json)
        }
        return json.bytes
      case .refused(let batch):
        try batch.checkWhole()
        throw exchange.internalError()
      }
    }
    let log = AskedLog(cursor: after, limit: limit)
    return .edits(.sync(sent, log, for: exchange.asker, list: list, completion))
  }

  static let listEdits = Endpoint(
    .get, "/v1/edits", query: ["after", "limit", "wait", "goal", "order"]
  ) { exchange in
    var query = exchange.query
    let limit = query.integer("limit", in: LogView.limits) ?? LogView.limit
    let cursor = query.cursor("after")
    let seconds = query.integer("wait", in: 1...30)
    let goal = query.goal("goal")
    let isNewestFirst =
      query.choice("order", ["oldest": false, "newest": true], "oldest or newest is expected")
      ?? false
    if seconds != nil, isNewestFirst || goal != nil {
      query.refuse("wait", "only the whole log, oldest first, can be waited for")
    }
    let asked = try exchange.valid(
      query.finish(
        AskedLog(cursor: cursor, limit: limit, goal: goal, isNewestFirst: isNewestFirst)))
    let caller = try exchange.caller
    let completion = exchange.answeringPacked { (log: LogView) in
      var json = JSONWriter(reserving: log.size)
      json.object { json in log.writeMembers(to: &json) }
      return json.bytes
    }
    guard let seconds else {
      return .edits(.log(asked, of: caller.account, for: exchange.asker, completion))
    }
    return .changes(
      .await(asked, by: caller, for: exchange.asker, seconds: seconds, completion))
  }

  static let readEdit = Endpoint(.get, "/v1/edits/{id}") { exchange in
    let completion = exchange.answering { (entry: LogEntry) in
      Response(.ok, json: entry.payload)
    }
    return .edits(.read(try exchange.editID, of: try exchange.account, completion))
  }
}

extension Exchange {
  fileprivate var proposalReader: ProposalReader { ProposalReader { [self] in world.makeID() } }

  fileprivate func sentBatch(
    _ body: BatchBody, isDryRun: Bool, shows: Batch.Shown = .nothing
  ) throws -> Store.SentBatch {
    let caller = try caller
    let maySendAll = caller.token.scope == .write
    guard maySendAll || body.proposals.allSatisfy(\.onlyCounts) else {
      throw Problem.forbidden(needing: .write)
    }
    let batch = Batch(
      device: caller.token.name, proposals: body.proposals, isAtomic: body.isAtomic,
      precondition: body.ifVersion.map { .version($0) }, isDryRun: isDryRun, shows: shows,
      undoesOnlyOwn: !maySendAll)
    return Store.SentBatch(account: caller.account, token: caller.token.id, batch: batch)
  }
}

extension Proposal {
  /// Whether a token that may only count may send it. What can't be read is refused as that.
  fileprivate var onlyCounts: Bool {
    switch self {
    case .edit(let proposed):
      switch proposed.edit {
      case .progress, .account(.undo): true
      case .goal, .account(.configure): false
      }
    case .put: false
    case .refused: true
    }
  }
}

extension LogView {
  /// How many edits a page may hold.
  fileprivate static let limits = 1...1000
  /// How many edits a page holds where nothing is said.
  fileprivate static let limit = 500

  /// About how many bytes its members take.
  fileprivate var size: Int { entries.reduce(200) { $0 + $1.payload.count + 1 } }

  /// Its members, of the object that is open.
  fileprivate func writeMembers(to json: inout JSONWriter) {
    json.array("edits") { json in
      for entry in entries { json.raw(entry.payload) }
    }
    json.member("version", head)
    json.member("cursor", cursor.description)
    json.member("more", isMore)
  }
}

extension SyncedList {
  /// About how many bytes its member takes.
  fileprivate var size: Int {
    switch self {
    case .same: 16
    case .other(let listing): listing.json.count
    }
  }

  /// Writes the member `list` into the open object.
  fileprivate func writeMember(to json: inout JSONWriter) {
    switch self {
    case .same: json.member("list") { $0.null() }
    case .other(let listing):
      json.object("list") { json in
        json.member("etag", listing.tag.description)
        listing.writeGoals(to: &json)
      }
    }
  }
}

extension DecidedBatch {
  /// Throws why a batch was refused as a whole, where it was.
  fileprivate func checkWhole() throws {
    switch ruling.result {
    case .batchRejected: throw Problem.batchRejected(ruling.outcomes)
    case .versionMismatch: throw Problem.versionMismatch(ruling.version, ruling.outcomes)
    case .noCalendar: throw Problem.noCalendar
    case .tooLarge: throw Problem.batchTooLarge
    case .accountFull:
      var problem = Problem.accountFull
      problem.more = .version(ruling.version, outcomes: ruling.outcomes)
      throw problem
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
    _ version: Version, _ outcomes: [Outcome]
  ) -> Problem {
    var problem = Problem(
      .conflict, "version-mismatch",
      "The account is at version \(version). Nothing is recorded now.")
    problem.more = .version(version, outcomes: outcomes)
    return problem
  }
}
