import Testing

@testable import GoalsCore

private let lost = ZoneName.of("Test/Lost")
private let found = ZoneName.of("Test/Found")

extension TestAccount {
  /// An account with an active goal in a zone of which this is known now.
  fileprivate static func inZone(_ lookup: ZoneLookup) -> TestAccount {
    var account = TestAccount.living(with: .some(1))
    account.zones = Zones([lost: .found(.utc), found: .found(.utc)])
    account.record(.configure(.init(timeZone: lost)))
    account.zones = Zones([lost: lookup, found: .found(.utc)])
    return account
  }

  /// What comes of a batch, and the state that it leaves.
  fileprivate func judge(
    _ edits: Edit..., isAtomic: Bool = false, shows: Batch.Shown = .nothing
  ) -> (ruling: Ruling, state: AccountState) {
    let proposals = edits.enumerated().map { place, edit in
      Proposal.edit(ProposedEdit(id: ID(high: 7, low: UInt64(place + 1)), edit: edit))
    }
    let batch = Batch(device: "phone", proposals: proposals, isAtomic: isAtomic, shows: shows)
    var state = state
    var circumstances = Circumstances(now: now, zones: zones, recorded: recorded)
    return (state.record(batch, chain: nil, by: &circumstances), state)
  }
}

private let oneBump = Edit(.bump(1, by: .one, note: nil))
private let leave = Edit(.configure(.init(timeZone: found)))
private let retitle = Edit(.alter(1, Goal.Changes([.retitling(to: .of("b"))])))

@Suite("In a zone that can't be had") struct MissingZoneTests {
  private static let lookups: [ZoneLookup] = [.unknown, .unavailable]

  @Test(
    "nothing is counted, and nothing of its request recorded", arguments: lookups, [true, false])
  func counting(_ lookup: ZoneLookup, isAtomic: Bool) {
    let account = TestAccount.inZone(lookup)
    for edits in [[oneBump], [Edit(.skip(1))]] {
      let alone = account.judge(edits[0], isAtomic: isAtomic)
      let after = account.judge(retitle, edits[0], isAtomic: isAtomic)
      for (ruling, state) in [alone, after] {
        #expect(ruling.result == .noCalendar)
        #expect(ruling.outcomes == [] && ruling.recorded == [])
        #expect(ruling.version == account.state.version)
        #expect(state == account.state)
      }
    }
  }

  @Test("what counts on no day is recorded, where no progress is to be shown", arguments: lookups)
  func withoutCalendar(_ lookup: ZoneLookup) {
    let account = TestAccount.inZone(lookup)
    #expect(account.judge(retitle).ruling.recorded.count == 1)
    #expect(account.judge(retitle, shows: .state).ruling.recorded.count == 1)
    let shown = account.judge(retitle, shows: .progress)
    #expect(shown.ruling.result == .noCalendar)
    #expect(shown.state == account.state)
  }

  @Test("an account can move to another, and count there at once", arguments: lookups)
  func leaving(_ lookup: ZoneLookup) {
    let account = TestAccount.inZone(lookup)
    let (ruling, state) = account.judge(leave, oneBump, shows: .progress)
    #expect(ruling.recorded.map(\.edit.type) == [.configure, .bump])
    #expect(state.calendar.timeZone == found)
    #expect(ruling.calendar == GoalCalendar())
  }

  @Test("a bump that is recorded is known as that", arguments: lookups)
  func duplicate(_ lookup: ZoneLookup) {
    var account = TestAccount.inZone(.found(.utc))
    let id = account.record(.bump(1, by: .one, note: nil))
    account.zones = Zones([lost: lookup])
    #expect(account.send(oneBump, id: id) == .duplicate(account.log[account.log.count - 1]))
  }

  @Test("of which nothing was looked up, nothing is counted either")
  func notLookedUp() {
    var account = TestAccount.inZone(.unknown)
    account.zones = Zones()
    #expect(account.send(oneBump) == .noCalendar)
  }
}

@Suite("To a zone that can't be had") struct MissingNewZoneTests {
  @Test("an account is not moved: whether there is one, is not known")
  func configure() {
    var account = TestAccount.living(with: .some(1))
    account.zones = Zones([lost: .unavailable])
    let move = Edit(.configure(.init(timeZone: lost)))
    let (ruling, state) = account.judge(oneBump, move, oneBump)
    #expect(ruling.result == .noCalendar)
    #expect(state == account.state)
    account.zones = Zones([lost: .unknown])
    #expect(account.judge(move).ruling.outcomes.first?.rejection == .unknownTimeZone)
  }

  @Test("an account is not returned by an undo")
  func undo() {
    var account = TestAccount.inZone(.found(.utc))
    let id = account.record(.configure(.init(timeZone: found)))
    account.zones = Zones([lost: .unavailable])
    #expect(account.send(Edit(.undo(id))) == .noCalendar)
    account.zones = Zones([lost: .unknown])
    #expect(account.send(Edit(.undo(id))).rejection == .notUndoable)
    account.zones = Zones([lost: .found(.utc)])
    account.record(.undo(id))
    #expect(account.state.calendar.timeZone == lost)
  }
}

@Suite("The zones that a round needs") struct NeededZoneTests {
  @Test("are the account's own, those that are named, and those that an undo returns to")
  func names() {
    var account = TestAccount.inZone(.found(.utc))
    let id = account.record(.configure(.init(timeZone: found)))
    var asked: [ZoneName] = []
    let lookUp = { (name: ZoneName) -> ZoneLookup in
      asked.append(name)
      return .unavailable
    }
    var zones = Zones()
    let named = ZoneName.of("Test/Named")
    let edits = [named, named, .utc].map { Edit(.configure(.init(timeZone: $0))) } + [oneBump]
    let batch = Batch(
      device: "phone", proposals: edits.map { .edit(ProposedEdit(id: 5, edit: $0)) })
    batch.addZones(to: &zones, by: lookUp)
    let recorded = RecordedEdits(account.log.filter { $0.id == id })
    let chain = Chain(words: (0, 0, 0, 0))
    Account(state: account.state, chain: chain, recorded: recorded)
      .addZones(to: &zones, by: lookUp)
    #expect(asked == [named, found, lost])
  }
}
