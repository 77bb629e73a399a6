import GoalsCore
import GoalsReplica
import TestSupport

/// A server with one account, made of the core alone: its log, its cursors, its pages.
package struct SimulatedServer {
  /// Small, so that logs have several pages.
  package static let page = 5
  package static let identity = Replica.Identity(
    account: 1,
    calendar: CalendarSettings(
      timeZone: .of("Europe/Berlin"), weekStart: .monday, dayStart: .midnight))

  package private(set) var log: [RecordedEdit] = []
  package private(set) var state = AccountState(calendar: identity.calendar)
  private var recorded = RecordedEdits()
  /// By version, a number that differs between logs.
  private var chain: [UInt64] = [0]

  package init() {}

  package func cursor(at version: Int) -> Replica.Cursor {
    Replica.Cursor("\(version).\(chain[version])")
  }

  /// The version of a cursor; nil where it is of another log.
  package func version(of cursor: Replica.Cursor?) -> Int? {
    guard let cursor else { return 0 }
    let parts = cursor.text.split(separator: ".")
    guard parts.count == 2, let version = Int(parts[0]), chain.indices.contains(version),
      String(chain[version]) == parts[1]
    else { return nil }
    return version
  }

  package mutating func answer(
    _ request: Replica.Request, from device: String, at now: Instant
  ) -> Result<Replica.Answer, RefusalError> {
    switch request {
    case .identity:
      return .success(.identity(Self.identity))
    case .read(let after):
      guard let start = version(of: after) else { return .failure(.diverged) }
      return .success(.page(page(after: start, outcomes: [])))
    case .sync(let after, let edits):
      guard let start = version(of: after) else { return .failure(.diverged) }
      let outcomes = record(edits, from: device, at: now)
      return .success(.page(page(after: start, outcomes: outcomes)))
    }
  }

  package func page(after start: Int, outcomes: [Outcome]) -> Replica.Page {
    let end = min(start + Self.page, log.count)
    return Replica.Page(
      outcomes: outcomes, entries: entries(start..<end), cursor: cursor(at: end),
      more: end < log.count)
  }

  package func entries(_ range: Range<Int>) -> [Replica.LogEntry] {
    log[range].map { edit in
      .edit(
        known(
          RecordedPayload(
            version: edit.version, id: edit.id, at: edit.at, recordedAt: edit.recordedAt,
            device: edit.device, edit: edit.edit, day: edit.day), edit))
    }
  }

  private mutating func record(
    _ edits: [ProposedEdit], from device: String, at now: Instant
  ) -> [Outcome] {
    let ruling = state.judge(
      Batch(device: device, proposals: edits.map { .edit($0) }), chain: nil,
      by: Circumstances(now: now, zones: simulatedZones, recorded: recorded))
    for edit in ruling.recorded {
      edit.transform(&state)
      recorded.record(edit)
      log.append(edit)
      let last = chain[chain.count - 1] ^ edit.id.low ^ UInt64(edit.recordedAt.milliseconds) << 20
      chain.append((last &* 0x9E37_79B9_7F4A_7C15) >> 32)
    }
    return ruling.outcomes.map { Outcome(id: $0.id, status: $0.status) }
  }
}

package struct RefusalError: Error {
  package let refusal: Replica.Refusal

  package static let diverged = RefusalError(
    refusal: Replica.Refusal(status: 410, code: "cursor-diverged"))
}

package let simulatedZones: Zones = {
  var zones = Zones()
  for name in ["Europe/Berlin", "Asia/Tokyo"] { zones.add(.of(name), by: mockZone) }
  return zones
}()
