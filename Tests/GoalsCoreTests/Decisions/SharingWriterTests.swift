import Testing

@testable import GoalsCore

@Suite("A writer of a shared log")
struct SharingWriterTests {
  private var writer = Writer(isLogShared: true)
  private let start = Account(
    state: WriterScenario.start.state, chain: .link(1), recorded: WriterScenario.start.recorded)
  private let a = bumped(201, 3)

  /// - Parameter isLookedUp: whether the ids of account 1 are.
  private mutating func arrive(
    _ batches: (Account.ID, Batch)..., isLookedUp: Bool = true
  ) -> [Decision] {
    let requests = batches.enumerated().map { Submission(ticket: $0, account: $1.0, batch: $1.1) }
    var first = start
    first.isLookedUp = isLookedUp
    if !isLookedUp { first.recorded = RecordedEdits() }
    return decide(
      .arrived(
        requests, accounts: [1: first, 2: start], now: .at("2026-11-20T12:00:00Z"), zones: Zones()),
      &writer)
  }

  private func standing(_ account: Account.ID, confirms: Bool = false) -> Write {
    Write(
      account: account, edits: [], before: start.state, after: start.state, chain: start.chain,
      logBytes: 0, confirms: confirms)
  }

  @Test("answers what writes nothing once the account was found where it was read")
  mutating func nothingToWrite() {
    #expect(
      arrive((1, batch(bad)), (2, counting(201))) == [
        .persist([standing(1, confirms: true), .of(2, [a])])
      ])
    #expect(
      decide(.committed([2: [.numbered(7)]]), &writer) == [
        .install(2, [a], 7), .answer(0, batch(bad), 1), .answer(1, counting(201), 7),
        .announce(2, [a], [7]), .track(2, edits: 1),
      ])
  }

  @Test("asks for a commit behind an answer that its client acts upon, and for none behind others")
  mutating func confirming() throws {
    let known = try #require(WriterScenario.start.log.first)
    let again = Batch(
      device: "phone",
      proposals: [.edit(ProposedEdit(id: known.id, at: known.at, edit: known.edit))])
    let unchanging = batch(Edit(.setActivity(.keyed([1: true]))))
    let late = counting(201, on: .version(Version(9)))
    for settled in [again, unchanging, batch(bad), late] {
      #expect(arrive((1, settled)) == [.persist([standing(1, confirms: true)])])
      _ = decide(.committed([:]), &writer)
    }
    #expect(arrive((1, batch(bump, isDryRun: true))) == [.persist([standing(1)])])
  }

  @Test("records what needs no look at the log without one, and has it looked up for all else")
  mutating func lookUps() {
    #expect(arrive((1, counting(201)), isLookedUp: false) == [.persist([.of(1, [a])])])
    #expect(
      decide(.committed([:], known: [1]), &writer) == [
        .lookUp([Submission(ticket: 0, account: 1, batch: counting(201))])
      ])
    let unchanging = batch(Edit(.setActivity(.keyed([1: true]))))
    let late = counting(201, on: .version(Version(9)))
    for unsure in [batch(bad), unchanging, late, batch(bump, isDryRun: true), batch(bump, bad)] {
      let requests = [unsure, counting(202)].enumerated().map {
        Submission(ticket: $0, account: 1, batch: $1)
      }
      #expect(
        arrive((1, unsure), (1, counting(202)), (2, counting(201)), isLookedUp: false) == [
          .lookUp(requests), .persist([.of(2, [a])]),
        ])
      _ = decide(.committed([2: [.numbered(7)]]), &writer)
    }
    #expect(
      arrive((1, batch(bad)), isLookedUp: false) == [
        .lookUp([Submission(ticket: 0, account: 1, batch: batch(bad))])
      ])
  }

  @Test("tells nobody of an account that was overtaken, and brings its requests in again")
  mutating func overtaken() {
    _ = arrive((1, counting(201)), (2, counting(201)), (1, batch(bad)))
    #expect(
      decide(.committed([2: [.numbered(7)]], overtaken: [1]), &writer) == [
        .install(2, [a], 7), .answer(1, counting(201), 7), .announce(2, [a], [7]),
        .decideAgain([
          Submission(ticket: 0, account: 1, batch: counting(201)),
          Submission(ticket: 2, account: 1, batch: batch(bad)),
        ]), .track(.overtaken(accounts: 1)), .track(1, edits: 1),
      ])
  }

  @Test("takes what waits to be tried alone along with what was overtaken")
  mutating func waiting() {
    _ = arrive((1, counting(201)), (2, counting(201)), (1, counting(202)))
    #expect(decide(.commitFailed(.other), &writer).last == .persist([.of(1, [a])]))
    #expect(
      decide(.committed([:], overtaken: [1]), &writer) == [
        .decideAgain([
          Submission(ticket: 0, account: 1, batch: counting(201)),
          Submission(ticket: 2, account: 1, batch: counting(202)),
        ]), .track(.overtaken(accounts: 1)), .persist([.of(2, [a])]),
      ])
  }

  @Test("connects anew and decides everything again where nobody knows what was recorded")
  mutating func unknown() {
    _ = arrive((1, counting(201)), (2, batch(bad)))
    #expect(
      decide(.commitFailed(.unknown), &writer) == [
        .reopen, .track(.commitFailed(.unknown, requests: 2)),
        .decideAgain([
          Submission(ticket: 0, account: 1, batch: counting(201)),
          Submission(ticket: 1, account: 2, batch: batch(bad)),
        ]),
      ])
    #expect(arrive((1, counting(201))) == [.persist([.of(1, [a])])])
  }
}
