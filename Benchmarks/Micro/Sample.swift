import GoalsCore
import GoalsStore
import GoalsWire
import HTTP
import JSON

/// What is measured: an account with 20 goals, and requests that bump them.
struct Sample {
  struct Unusable: Error {}

  let state: AccountState
  let log: [RecordedEdit]
  let chain = Chain(words: (1, 2, 3, 4))
  let now = Instant(milliseconds: 1_795_000_000_000)
  let account = Account.ID(high: 7, low: 7)

  static func goalID(_ number: UInt64) -> Goal.ID { Goal.ID(high: 1, low: number) }

  /// The edits that make the goals and turn them on.
  static func goals() throws -> [Edit] {
    var edits: [Edit] = []
    for number in UInt64(0)..<20 {
      guard let title = Title("Goal number \(number + 1)"), let frequency = Frequency(5) else {
        throw Unusable()
      }
      let interval = Interval.allCases[Int(number) % Interval.allCases.count]
      edits.append(
        Edit(
          .add(
            Goal(
              id: Self.goalID(number), title: title, interval: interval, frequency: frequency))))
    }
    let active = (UInt64(0)..<20).map {
      KeyedActivity.Element(goal: Self.goalID($0), isActive: true)
    }
    edits.append(Edit(.setActivity(.keyed(KeyedActivity(active)))))
    return edits
  }

  init() throws {
    let edits = try Self.goals() + (UInt64(0)..<1000).map { Self.bump($0 % 20) }
    let ruling = AccountState().judge(
      Batch(
        device: "phone",
        proposals: edits.enumerated().map {
          .edit(ProposedEdit(id: Edit.ID(high: 2, low: UInt64($0)), edit: $1))
        }),
      chain: nil, by: Circumstances(now: now, zones: Zones()))
    guard ruling.recorded.count == edits.count, let ruled = ruling.state else { throw Unusable() }
    state = ruled
    log = ruling.recorded
  }

  static func bump(_ goal: UInt64) -> Edit { Edit(.bump(goalID(goal), by: .one, note: nil)) }

  /// A body that sends this many bumps.
  func body(bumps: Int) -> [UInt8] {
    var json = JSONWriter()
    json.object { json in
      json.array("edits") { json in
        for number in 0..<bumps {
          json.object { json in
            json.member("id", Edit.ID(high: 0x1234_5678_9ABC_4DEF, low: UInt64(number)))
            json.member("type", "bump")
            json.member("goal", Self.goalID(UInt64(number % 20)))
          }
        }
      }
    }
    return json.bytes
  }
}

// MARK: From bytes to a batch

extension Sample {
  func requestParts() throws -> [Part] {
    let body = body(bumps: 1)
    let head =
      "POST /v1/edits HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer goals_"
      + String(repeating: "0123456789abcdef", count: 4)
      + "\r\nContent-Type: application/json\r\nContent-Length: \(body.count)\r\n\r\n"
    let request = Array(head.utf8) + body
    let large = self.body(bumps: 1000)
    let document = try JSONDocument(parsing: body)
    let reader = ProposalReader(makeGoalID: { Self.goalID(0) })
    return [
      Part(name: "HTTP: parse a POST of a bump") { keep(Self.events(of: request)) },
      Part(name: "JSON: parse the body of a bump") { keep(try? JSONDocument(parsing: body)) },
      Part(name: "JSON: parse 1,000 bumps, each", operations: 1000) {
        keep(try? JSONDocument(parsing: large))
      },
      Part(name: "wire: read a bump from its JSON") {
        keep(BatchBody.read(document.root, edits: 1...1000, by: reader))
      },
    ]
  }

  /// How many events the parser gives for a request; 3 for one with a short body.
  private static func events(of request: [UInt8]) -> Int {
    var parser = RequestParser()
    parser.append(request[...])
    var count = 0
    while true {
      switch parser.next() {
      case .head, .body: count += 1
      case .end: return count + 1
      case .needsInput, .refused: return count
      }
    }
  }
}

// MARK: Decisions

extension Sample {
  func decisionParts() -> [Part] {
    let one = arrival(of: 1)
    let crowd = arrival(of: 64)
    let seals = (0..<64).map { _ in Seal(chain: chain, payload: []) }
    let payload = JSONWriter.text { log[500].write(to: &$0) }
    return [
      Part(name: "decide: one bump, committed") { decided(one, Array(seals[..<1])) },
      Part(name: "decide: 64 bumps of 64 requests, each", operations: 64) { decided(crowd, seals) },
      Part(name: "fold: apply a recorded bump, each of 1,000", operations: log.count) {
        keep(log.reduce(into: AccountState()) { state, edit in edit.transform(&state) })
      },
      Part(name: "chain: seal a recorded bump") {
        keep(ChainMaker.next(after: chain, format: 1, payload: payload))
      },
    ]
  }

  private func arrival(of count: Int) -> Event {
    let submissions = (0..<count).map { number in
      let proposal = Proposal.edit(
        ProposedEdit(
          id: Edit.ID(high: 3, low: UInt64(number)), edit: Self.bump(UInt64(number % 20))))
      return Submission(
        ticket: number, account: account, batch: Batch(device: "phone", proposals: [proposal]))
    }
    return .arrived(
      submissions, accounts: [account: Account(state: state, chain: chain)], now: now,
      zones: Zones())
  }

  private func decided(_ event: Event, _ seals: [Seal]) {
    var writer = Writer()
    keep(decide(event, &writer))
    keep(decide(.committed([account: seals]), &writer))
  }
}

// MARK: From a state to bytes

extension Sample {
  func answerParts() -> [Part] {
    let calendar = GoalCalendar()
    let items = state.goals(at: now, in: calendar).items
    let list = JSONWriter.text { json in
      json.array { json in for item in items { json.value(item) } }
    }
    let edit = log[500]
    let response = Response(
      .ok,
      fields: [
        .contentType: "application/json", "X-Content-Type-Options": "nosniff",
        "Cache-Control": "private, no-cache", "ETag": "\"4.ff27a2e3025dc2dc~tovmo0\"",
        "X-Request-Id": "rg0htm-6",
      ], body: list)
    let encoder = ResponseEncoder(method: .get, version: .http11, keepsAlive: true)
    return [
      Part(name: "JSON: write a recorded bump") { keep(JSONWriter.text { edit.write(to: &$0) }) },
      Part(name: "view: 20 goals with progress and streaks") {
        keep(state.goals(at: now, in: calendar))
      },
      Part(name: "JSON: write 20 goals with progress") {
        keep(
          JSONWriter.text { json in
            json.array { json in for item in items { json.value(item) } }
          })
      },
      Part(name: "HTTP: encode the answer with 20 goals") {
        keep(encoder.whole(response, date: "Fri, 20 Nov 2026 12:00:00 GMT"))
      },
    ]
  }
}

extension JSONWriter {
  fileprivate static func text(_ write: (inout JSONWriter) -> Void) -> [UInt8] {
    var json = JSONWriter()
    write(&json)
    return json.bytes
  }
}
