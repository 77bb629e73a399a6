import GoalsCore
import GoalsEngine
import GoalsReplica
import GoalsWire
import JSON

/// What a device does that counts by itself: an account of 20 goals, with ten bumps on every day of
/// ten years.
struct Device {
  private static let bumps = 36_500
  private static let pending = 10_000
  private static let identity = Replica.Identity(
    account: Account.ID(high: 7, low: 7), calendar: .initial)

  private let log: [RecordedEdit]
  /// After the last day.
  private let now: Instant

  init() throws {
    let start = Instant(milliseconds: 1_480_000_000_000)
    let hour: Int64 = 3_600_000
    now = start.adding(milliseconds: hour * 24 * 3651)
    var state = AccountState()
    var log: [RecordedEdit] = []
    var circumstances = Circumstances(now: now, zones: Zones())
    let edits = try Sample.goals() + (0..<UInt64(Self.bumps)).map { Sample.bump($0 % 20) }
    for (number, edit) in edits.enumerated() {
      let at = start.adding(milliseconds: hour * Int64(max(0, number - 21) * 24 / 10))
      let proposed = ProposedEdit(id: Self.id(number, of: 2), at: at, edit: edit)
      guard case .record(let recorded) = state.take(proposed, from: "phone", by: &circumstances)
      else { throw Sample.Unusable() }
      log.append(recorded)
    }
    self.log = log
  }

  private static func id(_ number: Int, of device: UInt64) -> Edit.ID {
    Edit.ID(high: device, low: UInt64(number))
  }

  func parts() throws -> [Part] {
    let whole = try read(log)
    let ahead = pending(on: whole)
    var tapped = whole.engine
    _ = tapped.answer(asked("goals"))
    _ = tapped.answer(told("edited", "\"edits\":[\(proposal(0))]"))
    let page = self.page([bump(log.count + 1)], to: "y", outcomes: [])
    return [
      Part(name: "device: the first sync, an edit of 36,500", operations: log.count) { [self] in
        keep(try? read(log))
      },
      Part(name: "device: start with 36,500 edits in a snapshot") { [self] in
        var engine = Engine()
        keep(engine.answer(told("loaded", "\"changes\":0", whole.snapshot)))
      },
      Part(name: "device: the first list of 20 goals after ten years") { [self] in
        var engine = whole.engine
        keep(engine.answer(asked("goals")))
      },
      Part(name: "device: the list after a tap") { [self] in
        var engine = tapped
        keep(engine.answer(asked("goals")))
      },
      Part(name: "device: a tap after ten years") { [self] in
        var engine = whole.engine
        keep(engine.answer(told("edited", "\"edits\":[\(proposal(0))]")))
      },
      Part(name: "device: an edit of 10,000 that are made at once", operations: Self.pending) {
        [self] in keep(pending(on: whole))
      },
      Part(
        name: "device: an edit of 10,000 pending that are folded again", operations: Self.pending
      ) { [self] in
        var engine = ahead
        keep(engine.answer(told("followed", "\"cursor\":\"y\"", payload(of: bump(log.count + 1)))))
      },
      Part(name: "device: a page with one edit, read and answered") { [self] in
        var engine = whole.engine
        _ = engine.answer(told("cameToFront"))
        keep(engine.answer(told("answered", "\"ticket\":\(whole.ticket),\"status\":200", page)))
      },
    ]
  }

  /// The bytes that the bodies of a sync have, without what HTTP and TLS add.
  func sizes() throws -> [(name: String, bytes: Int)] {
    let idle = Replica.Request.sync(after: cursor, edits: []).http
    let tap = Replica.Request.sync(
      after: cursor, edits: [ProposedEdit(id: Self.id(1, of: 3), at: now, edit: Sample.bump(0))])
    let edit = bump(log.count + 1)
    let outcome = Outcome(id: edit.id, status: .applied(edit.version))
    let whole = try read(log)
    return [
      ("device: an idle sync is sent", idle.body?.count ?? 0),
      ("device: an idle sync is answered", page([], to: cursor.text, outcomes: []).count),
      ("device: a sync of a tap is sent", tap.http.body?.count ?? 0),
      (
        "device: a sync of a tap is answered",
        page([edit], to: cursor.text, outcomes: [outcome]).count
      ),
      (
        "device: a page of 500 edits",
        page(log.suffix(500), to: cursor.text, outcomes: []).count
      ),
      ("device: a snapshot of 36,500 edits", whole.snapshot.count),
    ]
  }

  // MARK: Engines

  private struct Read {
    let engine: Engine
    let snapshot: [UInt8]
    /// The ticket of the next request.
    let ticket: Int
  }

  private let cursor = Replica.Cursor("36521.0123456789abcdef")

  /// An engine that has read a log, page by page.
  private func read(_ log: [RecordedEdit]) throws -> Read {
    var engine = Engine()
    _ = engine.answer(told("loaded", "\"changes\":0"))
    _ = engine.answer(told("signedIn"))
    var ticket = 1
    var body = JSONWriter()
    body.object { json in
      json.member("id", Self.identity.account)
      Self.identity.calendar.writeMembers(to: &json)
    }
    _ = engine.answer(told("answered", "\"ticket\":1,\"status\":200", body.bytes))
    var rest = log[...]
    repeat {
      ticket += 1
      let entries = rest.prefix(500)
      rest = rest.dropFirst(500)
      let page = page(entries, to: rest.isEmpty ? cursor.text : "\(ticket)", more: !rest.isEmpty)
      _ = engine.answer(told("answered", "\"ticket\":\(ticket),\"status\":200", page))
    } while !rest.isEmpty
    guard engine.replica.kept.state.version.number == log.count else { throw Sample.Unusable() }
    return Read(engine: engine, snapshot: engine.replica.kept.line, ticket: ticket + 1)
  }

  /// The engine with 10,000 edits that were made offline.
  private func pending(on read: Read) -> Engine {
    var engine = read.engine
    let edits = (0..<Self.pending).map { proposal($0) }.joined(separator: ",")
    _ = engine.answer(told("edited", "\"edits\":[\(edits)]"))
    return engine
  }

  // MARK: Messages

  private func told(_ event: String, _ members: String = "", _ bytes: [UInt8] = []) -> [UInt8] {
    let more = members.isEmpty ? "" : "," + members
    return Array("{\"event\":\"\(event)\",\"now\":\"\(now)\"\(more)}\n".utf8) + bytes
  }

  private func asked(_ question: String) -> [UInt8] {
    Array("{\"ask\":\"\(question)\",\"now\":\"\(now)\"}".utf8)
  }

  private func proposal(_ number: Int) -> String {
    var json = JSONWriter()
    json.value(
      ProposedEdit(
        id: Self.id(number, of: 3), at: now, edit: Sample.bump(UInt64(number % 20))))
    return String(decoding: json.bytes, as: UTF8.self)
  }

  private func bump(_ version: Int) -> RecordedEdit {
    let last = log[log.count - 1]
    return RecordedEdit(
      version: Version(version), id: Self.id(version, of: 4), at: now, recordedAt: now,
      device: "phone", edit: Sample.bump(0), day: GoalCalendar().day(of: now),
      reversal: { Reversal($0) }) ?? last
  }

  private func payload(of edit: RecordedEdit) -> [UInt8] {
    var json = JSONWriter()
    json.value(edit)
    return json.bytes
  }

  private func page(
    _ entries: some Sequence<RecordedEdit>, to cursor: String, outcomes: [Outcome] = [],
    more: Bool = false
  ) -> [UInt8] {
    var json = JSONWriter()
    json.object { json in
      json.member("outcomes", outcomes)
      json.array("edits") { json in
        for edit in entries { json.value(edit) }
      }
      json.member("version", log.count)
      json.member("cursor", cursor)
      json.member("more", more)
    }
    return json.bytes
  }
}
