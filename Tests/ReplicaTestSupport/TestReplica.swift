import GoalsCore
import GoalsReplica
import TestSupport

/// A replica to which a test tells events, with a server that answers when the test says so.
package struct TestReplica {
  package var replica = Replica()
  package var server = SimulatedServer()
  package var now = Instant.at("2026-11-20T12:00:00Z")
  /// Whether each change is durable at once.
  package var keeps = true
  /// Everything that was decided, first to last.
  package private(set) var decisions: [Replica.Decision] = []
  private var made: UInt64 = 0

  package init() {}

  /// A replica of the server's account, in step with it.
  package static func inStep() -> TestReplica {
    var test = TestReplica()
    test.tell(.loaded(Replica.Kept()))
    test.tell(.signedIn)
    test.exchange()
    return test
  }

  /// The decisions of one event, and of the `kept` events that follow from it.
  @discardableResult
  package mutating func tell(
    _ kind: Replica.Event.Kind, known: RecordedEdits = RecordedEdits()
  ) -> [Replica.Decision] {
    var new = decide(.init(kind, at: now, chance: 0.5, known: known), &replica)
    for case .keep(_, let number) in new where keeps {
      new += decide(.init(.kept(number), at: now), &replica)
    }
    decisions += new
    for case .findZone(let name) in new { new += tell(.zone(name, simulatedZones[name])) }
    return new
  }

  /// A person makes an edit. Answers its id.
  @discardableResult
  package mutating func edit(_ edit: Edit, at instant: Instant? = nil) -> Edit.ID {
    made += 1
    let id = Edit.ID(high: 1, low: made)
    tell(.edited([ProposedEdit(id: id, at: instant, edit: edit)]))
    return id
  }

  /// A goal that is on, recorded at the server.
  package mutating func addGoal(_ id: Goal.ID = 1) {
    edit(Edit(.add(.some(id, "Yoga", .weekly, times: 3))))
    edit(Edit(.setActivity(.keyed([id: true]))))
    exchange()
  }

  // MARK: The server

  /// The request under way.
  package var request: Replica.Request? { sent?.request }

  /// The edits of the request under way.
  package var sentEdits: [Edit.ID] {
    if case .sync(_, let edits)? = request { edits.map(\.id) } else { [] }
  }

  /// The ticket of the request under way, or one of no request.
  package var ticket: Replica.Ticket { sent?.ticket ?? 0 }

  private var sent: (request: Replica.Request, ticket: Replica.Ticket)? {
    guard replica.standing == .asking else { return nil }
    for case .send(let request, let ticket) in decisions.reversed() { return (request, ticket) }
    return nil
  }

  /// The server answers the request under way.
  package mutating func answer(date: Instant? = nil) {
    guard let (request, ticket) = sent else { return }
    switch server.answer(request, from: "phone", at: date ?? now) {
    case .success(let answer): tell(.answered(ticket, answer, date: date))
    case .failure(let error): tell(.refused(ticket, error.refusal, date: date))
    }
  }

  /// The server answers the request under way with this.
  package mutating func answer(with answer: Replica.Answer) {
    guard let sent else { return }
    tell(.answered(sent.ticket, answer, date: nil))
  }

  /// Somebody refuses the request under way: a proxy where there is no code.
  package mutating func refuse(
    _ status: Int, _ code: String? = nil, pointers: [String] = [], retryAfter: Int? = nil,
    date: Instant? = nil
  ) {
    guard let sent else { return }
    let refusal = Replica.Refusal(
      status: status, code: code, detail: code == nil ? "" : "No.", pointers: pointers,
      retryAfter: retryAfter)
    tell(.refused(sent.ticket, refusal, date: date))
  }

  /// The answer is lost; where `arrived`, the server had the request.
  package mutating func lose(arrived: Bool = false) {
    guard let (request, ticket) = sent else { return }
    if arrived { _ = server.answer(request, from: "phone", at: now) }
    tell(.unreachable(ticket))
  }

  /// The server answers until no request is under way.
  package mutating func exchange() {
    while request != nil { answer() }
  }

  package mutating func wait(seconds: Int64) {
    now = now.adding(milliseconds: seconds * 1000)
    tell(.timePassed)
  }

  // MARK: What came of it

  package var notices: [Replica.Notice] {
    decisions.compactMap { if case .tell(let notice) = $0 { notice } else { nil } }
  }

  /// The time that is waited for, in seconds from now.
  package var alarm: Int64? {
    for case .wait(let until) in decisions.reversed() {
      return until.map { ($0.milliseconds - now.milliseconds) / 1000 }
    }
    return nil
  }

  /// The progress of a goal as a person sees it.
  package func progress(_ id: Goal.ID = 1) -> Int? {
    guard let calendar = replica.zones.calendar(replica.shown.calendar) else { return nil }
    for item in replica.shown.goals(at: now, in: calendar).items where item.goal.id == id {
      if case .active(let running) = item.progress { return running.count }
    }
    return nil
  }
}

extension Edit {
  package static func bump(_ id: Goal.ID = 1, by count: Int = 1) -> Edit {
    Edit(.bump(id, by: .of(count), note: nil))
  }
}
