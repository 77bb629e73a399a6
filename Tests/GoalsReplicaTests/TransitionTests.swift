import Foundation
import GoalsCore
import GoalsReplica
import ReplicaTestSupport
import TestSupport
import Testing

/// Every event in every state: what is decided, and how the replica stands then.
///
/// `transitions.txt` has them all, a line each. `GOALS_WRITE=1` writes the file anew; read the
/// difference before you keep it.
@Suite struct `Every event in every state` {
  private static let file = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "transitions.txt")

  @Test func `leads where it always led`() throws {
    let table = Self.table()
    if ProcessInfo.processInfo.environment["GOALS_WRITE"] != nil {
      try table.write(to: Self.file, atomically: true, encoding: .utf8)
    }
    let kept = try String(contentsOf: Self.file, encoding: .utf8).split(separator: "\n")
    for (line, expected) in zip(table.split(separator: "\n"), kept) { #expect(line == expected) }
    #expect(table.split(separator: "\n").count == kept.count)
  }

  /// A server, or who answers for it, that refuses everything is not asked without a pause.
  @Test func `of a refusal leads to a pause`() {
    for (state, test) in Self.states() {
      for refusal in Self.refusals {
        var test = test
        var asked = 0
        while test.request != nil, asked < 12 {
          test.tell(.refused(test.ticket, refusal, date: nil))
          asked += 1
        }
        #expect(asked < 12, "\(state): \(Self.word(for: refusal))")
      }
    }
  }

  private static func table() -> String {
    var lines: [String] = []
    for (state, test) in states() {
      lines.append("\(state):")
      for (name, kind) in events(in: test) {
        var replica = test.replica
        let decisions = decide(.init(kind, at: test.now, chance: 0), &replica)
        let words = decisions.map { word(for: $0, at: test.now) }.joined(separator: ", ")
        lines.append("  \(name) -> \(word(for: replica.standing, at: test.now)): \(words)")
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  // MARK: States

  private static func states() -> [(String, TestReplica)] {
    var loaded = TestReplica()
    loaded.tell(.loaded(Replica.Kept()))
    var asked = loaded
    asked.tell(.signedIn)
    var first = asked
    first.answer()
    var inStep = TestReplica.inStep()
    inStep.addGoal()
    inStep.edit(.bump())
    inStep.exchange()
    var sending = inStep
    sending.edit(.bump())
    var reading = sending
    reading.refuse(403, "forbidden")
    var waiting = sending
    waiting.lose()
    var asked2 = sending
    asked2.refuse(429, retryAfter: 20)
    var full = sending
    full.refuse(507)
    full.exchange()
    var paused = inStep
    paused.tell(.followEnded(hadBegun: true))
    var restored = sending
    restored.refuse(410, "cursor-diverged")
    restored.answer()
    var again = sending
    again.refuse(401, "unauthenticated")
    again.tell(.signedIn)
    var other = sending
    other.refuse(401, "unauthenticated")
    other.tell(.signedIn)
    other.answer(with: .identity(Replica.Identity(account: 2, calendar: .initial)))
    return [
      ("loading", TestReplica()), ("signed out", loaded), ("asking who", asked),
      ("reading the log for the first time", first), ("in step", inStep), ("sending", sending),
      ("reading, since it may not write", reading), ("waiting after a failure", waiting),
      ("waiting as asked", asked2), ("in step, the account full", full),
      ("in step, the stream cut", paused), ("reading a restored log", restored),
      ("another account's token", other), ("asking who, with a log", again),
    ]
  }

  // MARK: Events

  private static func events(in test: TestReplica) -> [(String, Replica.Event.Kind)] {
    let ticket = test.ticket
    let sent = test.sentEdits
    let outcomes = sent.map { Outcome(id: $0, status: .applied(Version(4))) }
    let cursor = test.replica.kept.cursor ?? Replica.Cursor("0.0")
    func page(_ outcomes: [Outcome]) -> Replica.Event.Kind {
      .answered(
        ticket,
        .page(Replica.Page(outcomes: outcomes, entries: [], cursor: cursor, more: false)),
        date: nil)
    }
    let rejected = sent.map {
      Outcome(id: $0, status: .rejected(Rejection(.inactiveGoal, "It is off.")))
    }
    return [
      ("loaded", .loaded(test.replica.kept)), ("signed in", .signedIn),
      ("a bump", .edited([ProposedEdit(id: 99, edit: .bump())])), ("no edit", .edited([])),
      ("dismissed", .dismissed([98])), ("kept", .kept(.max)), ("not kept", .notKept(.max)),
      ("who", .answered(ticket, .identity(SimulatedServer.identity), date: nil)),
      ("a page", page(outcomes)), ("a page, all rejected", page(rejected)),
      ("a page without outcomes", page([Outcome(id: 97, status: .unchanged)])),
      ("an old answer", .answered(-1, .identity(SimulatedServer.identity), date: nil)),
    ]
      + refusals.map { (word(for: $0), .refused(ticket, $0, date: nil)) } + [
        ("no answer", .unreachable(ticket)),
        ("followed", .followed(test.server.entries(0..<test.server.log.count), cursor)),
        ("followed, a gap", .followed(gap, Replica.Cursor("9.9"))),
        ("follow reset", .followReset), ("stream ended", .followEnded(hadBegun: true)),
        ("stream failed", .followEnded(hadBegun: false)),
        ("a zone", .zone(.of("Asia/Tokyo"), simulatedZones[.of("Asia/Tokyo")])),
        ("no zone", .zone(.of("Europe/Berlin"), .unavailable)),
        ("time", .timePassed), ("to the front", .cameToFront),
      ]
  }

  /// By a proxy, and by the server.
  private static let refusals =
    [200, 400, 401, 403, 404, 408, 410, 413, 422, 429, 500, 503, 507].map {
      Replica.Refusal(status: $0)
    }
    + [
      (400, "malformed-json", []), (401, "unauthenticated", []), (403, "forbidden", []),
      (410, "cursor-diverged", []), (413, "body-too-large", []),
      (422, "invalid", []), (422, "invalid", ["/after"]),
    ].map { Replica.Refusal(status: $0, code: $1, detail: "No.", pointers: $2) }

  private static let gap: [Replica.LogEntry] = [
    .edit(
      known(
        RecordedPayload(
          version: Version(9), id: 96, at: .at("2026-11-20T12:00:00Z"),
          recordedAt: .at("2026-11-20T12:00:00Z"), device: "tab", edit: Edit(.delete(1)), day: nil),
        "a payload"))
  ]

  // MARK: Words

  private static func word(for refusal: Replica.Refusal) -> String {
    ([String(refusal.status), refusal.code].compactMap(\.self) + refusal.pointers)
      .joined(separator: " ")
  }

  private static func word(for standing: Replica.Standing, at now: Instant) -> String {
    switch standing {
    case .loading: "loading"
    case .inStep: "in step"
    case .asking: "asking"
    case .waiting(let until, let cause): "waiting \(seconds(until, now)), \(cause)"
    case .stopped(.signedOut): "signed out"
    case .stopped(.otherAccount): "other account"
    }
  }

  private static func word(for decision: Replica.Decision, at now: Instant) -> String {
    switch decision {
    case .keep(let change, _):
      (["keep"] + (change.restart == nil ? [] : ["restart"])
        + (change.recorded.isEmpty ? [] : ["\(change.recorded.count) of the log"])
        + change.own.map { "\($0.id.low) \(word(for: $0.standing))" }
        + change.forgotten.sorted().map { "\($0.low) gone" }).joined(separator: " ")
    case .send(.identity, _): "ask who"
    case .send(.sync(let after, let edits), _):
      "sync \(edits.map(\.id.low)) after \(after?.text ?? "nothing")"
    case .send(.read(let after), _): "read after \(after?.text ?? "nothing")"
    case .follow(let after, let way): "follow by \(way) after \(after?.text ?? "nothing")"
    case .unfollow: "unfollow"
    case .findZone(let name): "find \(name.text)"
    case .wait(let until): "wait \(until.map { seconds($0, now) } ?? "for nothing")"
    case .show: "show"
    case .tell(let notice): "tell \(word(for: notice))"
    }
  }

  private static func word(for standing: OwnEdit.Standing) -> String {
    switch standing {
    case .due: "due"
    case .acknowledged: "acknowledged"
    case .recorded: "recorded"
    case .rejected: "rejected"
    }
  }

  private static func word(for notice: Replica.Notice) -> String {
    switch notice {
    case .rejected(let edit, let rejection, _): "\(edit.id.low) \(rejection.code.rawValue)"
    case .unchanged(let ids): "\(ids.map(\.low)) unchanged"
    case .notKept(let ids): "\(ids.map(\.low)) not kept"
    case .restored(let count): "restored, \(count) again"
    case .signInNeeded: "sign in"
    case .otherAccount: "other account"
    case .readOnly: "read only"
    case .accountFull: "account full"
    case .clockIsOff(let by): "clock off by \(by)"
    case .newerServer: "newer server"
    case .notUnderstood(let detail): "not understood: \(detail)"
    }
  }

  private static func seconds(_ until: Instant, _ now: Instant) -> String {
    "\((until.milliseconds - now.milliseconds) / 1000) s"
  }
}
