import CPostgreSQL
import Glibc

extension Connection {
  /// Runs one query, in a transaction of its own unless one was begun, in one round trip. It is
  /// prepared with its first run.
  @discardableResult
  package func run(
    _ query: Query, _ parameters: Parameters = Parameters(), within limit: Duration
  ) throws(PostgreSQLError) -> Rows {
    let rows = try run([Call(query, parameters)], within: limit)
    guard let first = rows.first else {
      throw PostgreSQLError(.defect, "there is no answer", doing: query.name)
    }
    return first
  }

  /// Runs queries one after the other, in one round trip and one transaction: all of them, or
  /// none. Where one fails its error is thrown, and those after it do not run. `BEGIN` may only be
  /// the first and `COMMIT` only the last.
  package func run(_ calls: [Call], within limit: Duration) throws(PostgreSQLError) -> [Rows] {
    guard let doing = calls.first?.query.name else { return [] }
    for call in calls {
      if let fault = call.parameters.fault ?? fault(in: call.query) {
        throw PostgreSQLError(.defect, fault, doing: call.query.name)
      }
    }
    let handle = try live(doing: doing)
    deadline.set(limit)
    inbox.doubt = nil
    let steps = try send(calls, on: handle)
    try flush(handle, doing: doing)
    return try collect(steps, on: handle)
  }

  /// Runs every statement of a script, in one transaction unless it has its own. For the places
  /// where neither speed nor parameters matter.
  package func execute(_ script: String, within limit: Duration) throws(PostgreSQLError) {
    let doing = "a script"
    guard !script.utf8.contains(0) else {
      throw PostgreSQLError(.defect, "SQL that holds NUL", doing: doing)
    }
    let handle = try live(doing: doing)
    deadline.set(limit)
    inbox.doubt = nil
    // Several statements in one message are not for a pipeline.
    guard PQexitPipelineMode(handle) != 0, PQsendQuery(handle, script) != 0 else {
      throw lost(.unknown, doing: doing)
    }
    try flush(handle, doing: doing)
    var failure: PostgreSQLError?
    while let result = try next(handle, doing: doing) {
      defer { PQclear(result) }
      if let error = try error(in: result, handle, doing: doing) { failure = failure ?? error }
    }
    PQenterPipelineMode(handle)
    try settle(failure, doing: doing)
  }

  /// Why a query can't be prepared under its name; nil where it can, or is.
  private func fault(in query: Query) -> String? {
    if let known = prepared[query.name] {
      return known == query.sql ? nil : "another query has this name"
    }
    // The server would cut it off (NAMEDATALEN), and libpq end at a NUL.
    guard !query.name.isEmpty, query.name.utf8.count <= 63 else { return "a name of 1 to 63 bytes" }
    return query.name.utf8.contains(0) || query.sql.utf8.contains(0) ? "SQL that holds NUL" : nil
  }

  // MARK: Sending

  /// What the server answers to, each once.
  private enum Step {
    case prepare(Query)
    case run(Query)

    var query: Query {
      switch self {
      case .prepare(let query), .run(let query): query
      }
    }
  }

  private func send(
    _ calls: [Call], on handle: OpaquePointer
  ) throws(PostgreSQLError) -> [Step] {
    var steps: [Step] = []
    var names = Set(prepared.keys)
    var isSent = true
    for call in calls where isSent {
      let query = call.query
      if names.insert(query.name).inserted {
        steps.append(.prepare(query))
        isSent = PQsendPrepare(handle, query.name, query.sql, 0, nil) != 0
      }
      steps.append(.run(query))
      let isRunSent = call.parameters.withPointers { pointers, lengths in
        let formats = [Int32](repeating: 1, count: lengths.count)
        return PQsendQueryPrepared(
          handle, query.name, Int32(clamping: lengths.count), pointers, lengths, formats, 1)
      }
      isSent = isSent && isRunSent != 0
    }
    guard isSent, PQpipelineSync(handle) != 0 else {
      throw lost(.unknown, doing: steps.last?.query.name ?? "send")
    }
    return steps
  }

  /// Sends what libpq holds back, and takes in what comes meanwhile, so that neither side waits for
  /// the other to read.
  private func flush(_ handle: OpaquePointer, doing: String) throws(PostgreSQLError) {
    while true {
      switch PQflush(handle) {
      case 0: return
      case 1: try wait(handle, POLLIN | POLLOUT, doing: doing)
      default: throw lost(.unknown, doing: doing)
      }
      guard PQconsumeInput(handle) != 0 else { throw lost(.unknown, doing: doing) }
    }
  }

  private func wait(
    _ handle: OpaquePointer, _ events: Int32, doing: String
  ) throws(PostgreSQLError) {
    guard case .ready = deadline.wait(for: PQsocket(handle), events) else {
      throw lost(.unknown, "the time was up before the answer came", doing: doing)
    }
  }

  // MARK: Receiving

  private func collect(
    _ steps: [Step], on handle: OpaquePointer
  ) throws(PostgreSQLError) -> [Rows] {
    var rows: [Rows] = []
    var failure: PostgreSQLError?
    for step in steps {
      let doing = step.query.name
      guard let result = try next(handle, doing: doing) else {
        throw lost(.unknown, "the server answered out of turn", doing: doing)
      }
      // It frees the result, whatever becomes of it.
      let answer = Rows(result, doing: doing)
      if let error = try error(in: result, handle, doing: doing) {
        failure = failure ?? error
      } else if PQresultStatus(result) != PGRES_PIPELINE_ABORTED {
        switch step {
        case .prepare(let query): prepared[query.name] = query.sql
        case .run: rows.append(answer)
        }
      }
      // A null ends the results of each.
      if let extra = try next(handle, doing: doing) {
        PQclear(extra)
        throw lost(.unknown, "the server answered out of turn", doing: doing)
      }
    }
    let doing = steps.last?.query.name ?? ""
    // The transaction ends here, which may fail too; only then comes the end.
    if let error = try end(handle, doing: doing) { failure = failure ?? error }
    try settle(failure, doing: doing)
    return rows
  }

  /// Reads up to the mark behind the last query, and answers what went wrong before it.
  private func end(
    _ handle: OpaquePointer, doing: String
  ) throws(PostgreSQLError) -> PostgreSQLError? {
    var failure: PostgreSQLError?
    // An error, a null behind it, and the mark.
    for _ in 0..<3 {
      guard let result = try next(handle, doing: doing) else { continue }
      defer { PQclear(result) }
      if PQresultStatus(result) == PGRES_PIPELINE_SYNC { return failure }
      if let error = try error(in: result, handle, doing: doing) { failure = failure ?? error }
    }
    throw lost(.unknown, "the server answered out of turn", doing: doing)
  }

  /// The next result, once it is there whole; nil where those of one query end.
  private func next(
    _ handle: OpaquePointer, doing: String
  ) throws(PostgreSQLError) -> OpaquePointer? {
    while PQisBusy(handle) != 0 {
      try wait(handle, POLLIN, doing: doing)
      guard PQconsumeInput(handle) != 0 else { throw lost(.unknown, doing: doing) }
    }
    return PQgetResult(handle)
  }

  /// What a result says went wrong; nil where nothing did, and where it only was not run because
  /// another failed before it. Throws where the connection is over with it.
  private func error(
    in result: OpaquePointer, _ handle: OpaquePointer, doing: String
  ) throws(PostgreSQLError) -> PostgreSQLError? {
    let status = PQresultStatus(result)
    switch status {
    case PGRES_COMMAND_OK, PGRES_TUPLES_OK, PGRES_EMPTY_QUERY, PGRES_PIPELINE_ABORTED:
      return nil
    case PGRES_FATAL_ERROR:
      break
    default:
      // COPY, for which there is no use here.
      throw lost(.unknown, String(cString: PQresStatus(status)), doing: doing)
    }
    let state = result.field(cpostgresql_state).flatMap { SQLState($0) }
    var message = result.field(cpostgresql_message)
    if let detail = result.field(cpostgresql_detail) { message?.append(": \(detail)") }
    // The server's last word, or libpq's that there is no server any more.
    let isOver = ["FATAL", "PANIC"].contains(result.field(cpostgresql_severity))
    guard let state, !isOver, PQstatus(handle) == CONNECTION_OK else {
      throw lost(.unknown, message, state: state, doing: doing)
    }
    return PostgreSQLError(PostgreSQLError.Kind(state), state: state, message ?? "", doing: doing)
  }

  /// Throws what went wrong, or may have, once the server is ready for the next.
  private func settle(_ failure: PostgreSQLError?, doing: String) throws(PostgreSQLError) {
    if let doubt = inbox.doubt {
      throw lost(.unknown, doubt.message, state: doubt.state, doing: doing)
    }
    guard let failure else { return }
    if failure.kind == .unknown || failure.kind == .unavailable { close() }
    throw failure
  }
}
