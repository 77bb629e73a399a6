import GoalsCore
import GoalsStore
import HTTPServer
import Synchronization

/// Counts the server's work since it started, by listening to happenings and to the outcomes of
/// edits. Nothing that it counts knows of it.
package final class Metrics: Sendable {
  /// The values that are read anew for each answer.
  package struct Gauges: Sendable {
    package var server = Statistics()
    package var store = StoreGauges()
    /// Nil where that can't be read.
    package var accounts: StoreGauges.Accounts?
    package var isReady = true
    /// How long nothing was heard of the other servers of a database; nil where there are none.
    package var silence: Duration?
    /// That of the program.
    package var version = ""
    /// Nil where the system does not tell.
    package var residentBytes: Int?
    /// Nil where this server has made no backup.
    package var backupAge: Duration?
  }

  /// The requests of one operation.
  private struct Requests {
    var byStatus: [Int: Int] = [:]
    var durations = Histogram.seconds

    mutating func add(_ answered: Happening.Answered) {
      byStatus[answered.status, default: 0] += 1
      durations.add(answered.duration.inSeconds)
    }
  }

  private struct Counts {
    var requests: [String: Requests] = [:]
    var outcomes: [String: Int] = [:]
    var applied = 0
    var imported = 0
    var batch = Histogram.batch
    var commits = Histogram.seconds
    var failedCommits = 0
    var unknownCommits = 0
    var overtaken = 0
    var reopenings = 0
    /// When the last backup was whole, by the world's uptime.
    var backedUpAt: Duration?
  }

  private let counts = Mutex(Counts())

  package init() {}

  /// When the last backup was whole, by the world's uptime; nil where none was made.
  var backedUpAt: Duration? { counts.withLock { $0.backedUpAt } }

  /// Counts a happening.
  package func observe(_ happening: Happening) {
    switch happening {
    case .answered(let answered):
      counts.withLock {
        $0.requests[answered.operation ?? "none", default: Requests()].add(answered)
      }
    case .store(.persisted(let edits, let duration)):
      counts.withLock { counts in
        counts.batch.add(Double(edits))
        counts.commits.add(duration.inSeconds)
      }
    case .store(.writer(.commitFailed(.unknown, _))):
      counts.withLock { $0.unknownCommits += 1 }
    case .store(.writer(.commitFailed)): counts.withLock { $0.failedCommits += 1 }
    case .store(.writer(.overtaken(let accounts))):
      counts.withLock { $0.overtaken += accounts }
    case .store(.reopened): counts.withLock { $0.reopenings += 1 }
    case .recorded(_, let edits, _): counts.withLock { $0.applied += edits }
    case .backedUp(_, let at): counts.withLock { $0.backedUpAt = at }
    case .imported(_, let version): counts.withLock { $0.imported += version.number }
    case .store(.writer(.committed)), .store(.unrecorded), .store(.failed), .store(.probed),
      .store(.risk),
      .zoneFailed, .lackingZone, .failed, .started, .signInFailed, .tokenMade, .tokenRevoked,
      .accountRemoved, .sessionBegun, .turnedAway, .minutePassed,
      .measuring, .draining, .stopped:
      break
    }
  }

  /// Counts the edits that were not applied, by outcome. Applied edits are counted once they are
  /// recorded. A dry run counts for nothing.
  package func observe(_ batch: Batch, _ outcomes: [Outcome]) {
    let labels = outcomes.compactMap(\.label)
    guard !labels.isEmpty, !batch.isDryRun else { return }
    counts.withLock { counts in
      for label in labels { counts.outcomes[label, default: 0] += 1 }
    }
  }

  /// Everything, as Prometheus reads it.
  package func text(_ gauges: Gauges) -> String {
    let counts = counts.withLock { $0 }
    var text = Exposition()
    Self.write(counts, to: &text)
    if let silence = gauges.silence {
      text.add(
        "goals_accounts_overtaken_total", .counter,
        "Accounts of transactions that another server had changed first.", counts.overtaken)
      text.begin(
        "goals_others_silent_seconds", .gauge,
        "How long ago what other servers do was last read.")
      text.sample("goals_others_silent_seconds", [], silence.inSeconds)
    }
    gauges.write(to: &text)
    return text.text
  }

  private static func write(_ counts: Counts, to text: inout Exposition) {
    text.begin("goals_requests_total", .counter, "Requests answered, by operation and status.")
    let requests = counts.requests.sorted { $0.key < $1.key }
    for (operation, requests) in requests {
      for (status, count) in requests.byStatus.sorted(by: { $0.key < $1.key }) {
        text.sample(
          "goals_requests_total", [("operation", operation), ("status", "\(status)")], count)
      }
    }
    text.begin(
      "goals_request_duration_seconds", .histogram,
      "From a whole request to its answer, or to the first event of a stream.")
    for (operation, requests) in requests {
      text.sample(
        "goals_request_duration_seconds", [("operation", operation)], requests.durations)
    }
    text.begin("goals_edits_total", .counter, "Edits decided, by outcome, without dry runs.")
    text.sample("goals_edits_total", [("outcome", "applied")], counts.applied)
    for (outcome, count) in counts.outcomes.sorted(by: { $0.key < $1.key }) {
      text.sample("goals_edits_total", [("outcome", outcome)], count)
    }
    text.add(
      "goals_edits_imported_total", .counter,
      "Edits that came with an import, and were not decided.",
      counts.imported)
    text.begin("goals_commit_edits", .histogram, "Edits in a transaction.")
    text.sample("goals_commit_edits", [], counts.batch)
    text.begin(
      "goals_commit_duration_seconds", .histogram, "Writing a transaction until it is durable.")
    text.sample("goals_commit_duration_seconds", [], counts.commits)
    text.add(
      "goals_commits_failed_total", .counter, "Transactions of which nothing was recorded.",
      counts.failedCommits)
    text.add(
      "goals_commits_unknown_total", .counter,
      "Transactions on PostgreSQL of which it was unknown whether they were recorded.",
      counts.unknownCommits)
    text.add(
      "goals_database_reopened_total", .counter,
      "How often the database was closed after a failure, and opened again.", counts.reopenings)
  }
}

extension Metrics.Gauges {
  fileprivate func write(to text: inout Exposition) {
    text.begin("goals_build_info", .gauge, "1, with the version of the program.")
    text.sample("goals_build_info", [("version", version)], 1)
    if let residentBytes {
      text.add(
        "process_resident_memory_bytes", .gauge, "What the process has in memory.", residentBytes)
    }
    if let backupAge {
      text.begin(
        "goals_backup_age_seconds", .gauge,
        "How long ago this server made its last backup, since it started.")
      text.sample("goals_backup_age_seconds", [], backupAge.inSeconds)
    }
    text.add(
      "goals_ready", .gauge, "1 while the database takes a write.", isReady ? 1 : 0)
    text.add(
      "goals_risks", .gauge,
      "What the settings of a database on PostgreSQL allow that may lose commits.", store.risks)
    text.add(
      "goals_writer_waiting", .gauge, "Requests that wait for the writer.", store.waiting)
    if let rounds = store.rounds {
      text.add("goals_rounds_in_flight", .gauge, "Transactions on their way.", rounds)
    }
    text.add("goals_streams_open", .gauge, "Streams of changes.", server.streamsOpen)
    text.add("goals_connections_open", .gauge, "Connections.", server.connectionsOpen)
    text.add(
      "goals_connections_accepted_total", .counter, "Connections.", server.connectionsAccepted)
    text.add(
      "goals_connections_turned_away_total", .counter,
      "Connections beyond the limit, or without a descriptor left.", server.connectionsTurnedAway)
    text.add(
      "goals_connections_displaced_total", .counter,
      "Idle connections that made room for others.", server.connectionsDisplaced)
    text.add(
      "goals_connections_cut_total", .counter,
      "Connections whose client did not take its answers.", server.connectionsCut)
    text.add(
      "goals_unread_bytes", .gauge, "Of answers that clients have yet to take.",
      server.bytesUnread)
    text.add(
      "goals_http_refusals_total", .counter, "Requests that HTTP itself refuses.", server.refusals)
    text.add("goals_received_bytes_total", .counter, "Bytes read.", server.bytesReceived)
    text.add("goals_sent_bytes_total", .counter, "Bytes written.", server.bytesSent)
    text.add("goals_cached_accounts", .gauge, "Accounts whose state is in memory.", store.cached)
    text.add("goals_cache_bytes", .gauge, "About how many bytes those take.", store.cacheBytes)
    if let accounts {
      text.add("goals_accounts", .gauge, "Accounts.", accounts.count)
      text.add(
        "goals_account_log_bytes", .gauge, "What the logs of all accounts take of their quotas.",
        accounts.logBytes)
      text.add(
        "goals_accounts_full", .gauge, "Accounts whose log has reached its quota.", accounts.full)
    }
    text.add("goals_database_bytes", .gauge, "The size of the database.", store.databaseBytes)
    text.add("goals_wal_bytes", .gauge, "The size of its write-ahead log.", store.logBytes)
  }
}

extension Outcome {
  /// Nil for an edit that was applied.
  fileprivate var label: String? {
    switch status {
    case .applied: nil
    case .duplicate: "duplicate"
    case .unchanged: "unchanged"
    case .rejected(let rejection): rejection.code.rawValue
    case .skipped: "skipped"
    }
  }
}

extension Duration {
  fileprivate var inSeconds: Double {
    let (seconds, attoseconds) = components
    return Double(seconds) + Double(attoseconds) / 1e18
  }
}
