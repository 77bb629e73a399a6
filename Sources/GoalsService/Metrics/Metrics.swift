import GoalsCore
import GoalsStore
import HTTPServer
import Synchronization

/// What the server has done since it started, counted by listening: to what happens, and to what
/// became of edits. It is no part of anything that it counts.
package final class Metrics: Sendable {
  /// What is read anew whenever somebody asks.
  package struct Gauges: Sendable {
    package var server = Statistics()
    package var store = StoreGauges()
    package var isReady = true
  }

  private struct RequestLabels: Hashable, Comparable {
    let operation: String
    let status: Int

    static func < (one: Self, other: Self) -> Bool {
      (one.operation, one.status) < (other.operation, other.status)
    }
  }

  private struct Counts {
    var requests: [RequestLabels: Int] = [:]
    var durations: [String: Histogram] = [:]
    var outcomes: [String: Int] = [:]
    var applied = 0
    var imported = 0
    var batch = Histogram.batch
    var commits = Histogram.seconds
    var failedCommits = 0
    var reopenings = 0
  }

  private let counts = Mutex(Counts())

  package init() {}

  /// Takes note of what happened.
  package func observe(_ happening: Happening) {
    switch happening {
    case .answered(let answered):
      counts.withLock { counts in
        let operation = answered.operation ?? "none"
        counts.requests[RequestLabels(operation: operation, status: answered.status), default: 0] +=
          1
        counts.durations[operation, default: .seconds].add(answered.duration.inSeconds)
      }
    case .store(.persisted(let edits, let duration)):
      counts.withLock { counts in
        counts.batch.add(Double(edits))
        counts.commits.add(duration.inSeconds)
      }
    case .store(.writer(.commitFailed)): counts.withLock { $0.failedCommits += 1 }
    case .store(.reopened): counts.withLock { $0.reopenings += 1 }
    case .recorded(_, let edits, _): counts.withLock { $0.applied += edits }
    case .imported(_, let version): counts.withLock { $0.imported += version.number }
    case .store(.writer(.committed)), .store(.unrecorded), .store(.failed), .zoneFailed,
      .lackingZone, .failed, .started, .turnedAway, .measuring, .draining, .stopped:
      break
    }
  }

  /// Takes note of what became of edits that were not applied: those that were are counted once
  /// they are recorded, whatever was answered. What a dry run says became of nothing.
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
    gauges.write(to: &text)
    return text.text
  }

  private static func write(_ counts: Counts, to text: inout Exposition) {
    text.begin("goals_requests_total", .counter, "Requests answered, by operation and status.")
    for (labels, count) in counts.requests.sorted(by: { $0.key < $1.key }) {
      text.sample(
        "goals_requests_total", ["operation": labels.operation, "status": "\(labels.status)"], count
      )
    }
    text.begin(
      "goals_request_duration_seconds", .histogram,
      "From a whole request to its answer, or to the first event of a stream.")
    for (operation, histogram) in counts.durations.sorted(by: { $0.key < $1.key }) {
      text.sample("goals_request_duration_seconds", ["operation": operation], histogram)
    }
    text.begin("goals_edits_total", .counter, "Edits decided, by outcome, without dry runs.")
    text.sample("goals_edits_total", ["outcome": "applied"], counts.applied)
    for (outcome, count) in counts.outcomes.sorted(by: { $0.key < $1.key }) {
      text.sample("goals_edits_total", ["outcome": outcome], count)
    }
    text.add(
      "goals_edits_imported_total", .counter,
      "Edits that came with an import, and were not decided.",
      counts.imported)
    text.begin("goals_commit_edits", .histogram, "Edits in a transaction.")
    text.sample("goals_commit_edits", [:], counts.batch)
    text.begin(
      "goals_commit_duration_seconds", .histogram, "Writing a transaction until it is durable.")
    text.sample("goals_commit_duration_seconds", [:], counts.commits)
    text.add(
      "goals_commits_failed_total", .counter, "Transactions of which nothing was recorded.",
      counts.failedCommits)
    text.add(
      "goals_database_reopened_total", .counter,
      "How often the database was closed after a failure, and opened again.", counts.reopenings)
  }
}

extension Metrics.Gauges {
  fileprivate func write(to text: inout Exposition) {
    text.add(
      "goals_ready", .gauge, "1 while the database takes a write.", isReady ? 1 : 0)
    text.add(
      "goals_writer_waiting", .gauge, "Requests that wait for the writer.", store.waiting)
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
    if let accounts = store.accounts {
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
  /// Nil for what was applied.
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
