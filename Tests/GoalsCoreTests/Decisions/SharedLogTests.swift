import TestSupport
import Testing

@testable import GoalsCore

/// Two writers of one log, with all the ways in which their steps can follow each other: what one
/// decides, the other may have made wrong before it is recorded.
@Suite("Two writers of one log")
struct SharedLogTests {
  /// What may become of a round, besides that it arrives and is answered.
  private enum Loss: CaseIterable {
    /// It is recorded, and the answer is lost.
    case ofAnswer
    /// It is lost.
    case ofRound
    /// It arrives later, and the answer is lost.
    case delay
  }

  private struct World {
    var log: SharedLog
    var writers: [SharingWriter]
    var losses: Int
  }

  private static func submissions(_ batches: [[Batch]], from first: Int) -> [[Submission]] {
    var ticket = first
    return batches.map { round in
      round.enumerated().map { place, batch in
        ticket += 1
        return Submission(ticket: ticket, account: .of(UInt64(place % 2 + 1)), batch: batch)
      }
    }
  }

  /// Calls `body` with the end of each way in which the steps can follow each other.
  private func eachWay(_ world: World, _ body: (World) -> Void) {
    var isEnd = true
    if !world.log.underWay.isEmpty {
      isEnd = false
      var next = world
      next.log.arrive()
      eachWay(next, body)
    }
    for index in world.writers.indices where !world.writers[index].isDone {
      isEnd = false
      guard let writes = world.writers[index].ordered else {
        var next = world
        next.writers[index].decideNext(world.log)
        eachWay(next, body)
        continue
      }
      var next = world
      next.writers[index].take(next.log.commit(writes))
      eachWay(next, body)
      guard world.losses > 0 else { continue }
      for loss in Loss.allCases {
        var next = world
        next.losses -= 1
        switch loss {
        case .ofAnswer: _ = next.log.commit(writes)
        case .ofRound: break
        case .delay: next.log.send(writes)
        }
        next.writers[index].take(.commitFailed(.unknown))
        eachWay(next, body)
      }
    }
    if isEnd { body(world) }
  }

  /// What is wrong at the end of a way; empty where nothing is.
  private func faults(of world: World, asked: [Submission]) -> [String] {
    var faults: [String] = []
    for account in world.log.accounts.keys where !world.log.isWhole(account) {
      faults.append("the log of \(account) is not whole")
    }
    for request in asked {
      let writer = world.writers[request.ticket < 100 ? 0 : 1]
      guard case .ruled(let ruling, let chain)? = writer.answers[request.ticket] else {
        faults.append("\(request.ticket) has no ruling")
        continue
      }
      let since = writer.arrival(of: request.ticket)
      if !world.log.gives(ruling, chain: chain, to: request, since: since) {
        faults.append("\(request.ticket) was answered otherwise than the log does")
      }
    }
    return faults
  }

  /// So many ways were gone, and these faults were found.
  private func run(
    _ first: [[Batch]], _ second: [[Batch]], losses: Int, isLogShared: Bool = true
  ) -> (ways: Int, faults: Set<String>) {
    let rounds = [
      Self.submissions(first, from: 0), Self.submissions(second, from: 100),
    ]
    let world = World(
      log: SharedLog(accounts: [1, 2]),
      writers: rounds.map { SharingWriter($0, isLogShared: isLogShared) }, losses: losses)
    var ways = 0
    var faults: Set<String> = []
    eachWay(world) { end in
      ways += 1
      faults.formUnion(self.faults(of: end, asked: rounds.flatMap { $0.flatMap { $0 } }))
    }
    return (ways, faults)
  }

  private static func one(_ id: Edit.ID, _ edit: Edit) -> Batch {
    Batch(device: "phone", proposals: [.edit(ProposedEdit(id: id, edit: edit))])
  }

  private static func less(_ id: Edit.ID) -> Batch {
    one(id, Edit(.bump(1, by: .of(-1), note: nil)))
  }

  private static func renaming(_ id: Edit.ID, to title: String) -> Batch {
    one(id, Edit(.alter(1, [.retitling(to: .of(title))])))
  }

  private static let meetings: [([[Batch]], [[Batch]])] = [
    // Both count.
    ([[counting(201)], [counting(202)]], [[counting(301)], [counting(302)]]),
    // The same edit reaches both, as a client does that has no answer.
    ([[counting(201)], [counting(202)]], [[counting(201)], [counting(202)]]),
    // Each server refuses an edit that it allows once the other has counted.
    ([[counting(201)], [less(202)]], [[less(301)], [counting(302)]]),
    // What changes nothing does once the other has changed it.
    (
      [[renaming(201, to: "Run")], [renaming(202, to: "Run")]],
      [[renaming(301, to: "Walk")], [renaming(302, to: "Run")]]
    ),
    // A condition that holds where it was read.
    (
      [[counting(201, on: .version(Version(2)))], [counting(202, on: .version(Version(3)))]],
      [[counting(301, on: .version(Version(2)))], [batch(bump, isDryRun: true)]]
    ),
    // Rounds of two accounts, of which one may be overtaken alone.
    ([[counting(201), counting(202)]], [[counting(301)], [counting(302), counting(303)]]),
  ]

  @Test(
    "answer as the one log does, in whatever order their steps come", arguments: meetings.indices)
  func everyWay(_ meeting: Int) {
    let (first, second) = Self.meetings[meeting]
    let (ways, faults) = run(first, second, losses: 0)
    #expect(faults == [])
    #expect(ways >= 50)
  }

  @Test(
    "lose and double nothing where one does not know what became of a round",
    arguments: Tier.volume([1], all: Array(meetings.indices)))
  func unknownOutcomes(_ meeting: Int) {
    let (first, second) = Self.meetings[meeting]
    let (ways, faults) = run(first, Array(second.prefix(1)), losses: 1)
    #expect(faults == [])
    #expect(ways >= 400)
  }

  /// The check is what does it.
  @Test("answer from the past where one thinks itself alone")
  func alone() {
    let (_, faults) = run(
      [[Self.renaming(201, to: "Run")], [Self.less(202)]], [[counting(301)]], losses: 0,
      isLogShared: false)
    #expect(faults == ["2 was answered otherwise than the log does"])
  }
}
