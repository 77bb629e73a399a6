import ChangePropagation
import GoalsCore
import TestSupport
import Testing

@testable import GoalsStore

@Suite("An imported log") struct ImportTests {
  private static let kinds = StoreKind.ofTier.flatMap { from in
    StoreKind.ofTier.map { (from, $0) }
  }
  private static let apia = CalendarSettings(
    timeZone: .of("Pacific/Apia"), weekStart: .sunday, dayStart: .of("03:30"))

  /// A store with account 1, to which random edits were sent.
  private func written(
    _ kind: StoreKind, _ edits: inout RandomBatches, rounds: Int
  ) async throws -> TestStore {
    let test = try TestStore(kind)
    try test.store.book.addAccount(.some(1, calendar: Self.apia))
    for _ in 0..<rounds {
      let state = try #require(try test.store.state(.number(1))).state
      _ = await test.store.send(edits.batch(for: state, at: test.clock.now))
      test.clock.advance(milliseconds: 3_600_000)
    }
    return test
  }

  @Test("is the log that was exported, with its states, chains and undo", arguments: kinds)
  func roundTrip(_ from: StoreKind, _ to: StoreKind) async throws {
    var edits = RandomBatches(Dice())
    let note = edits.dice.note
    for round in Tier.volume([0, 1, 3, 40], all: [0, 1, 3, 10, 40, 160]) {
      let source = try await written(from, &edits, rounds: round)
      let target = try TestStore(to)
      try target.store.book.addAccount(.some(1))
      target.clock.advance(milliseconds: 1_000_000_000)
      let export = try Export(in: source.store)
      guard case .adopted = try target.store.adopt(export) else {
        Issue.record("nothing was adopted")
        continue
      }
      try compare(target.store, with: source.store, export, note)
      try compare(target.reopened().store, with: source.store, export, note)
      source.store.destroy()
    }
  }

  private func compare(
    _ copy: Store, with original: Store, _ export: Export, _ note: Comment
  ) throws {
    let published = try #require(try copy.state(.number(1)))
    let expected = try #require(try original.state(.number(1)))
    #expect(published.state == expected.state, note)
    #expect(published.chain == expected.chain, note)
    #expect(try copy.book.account(.number(1))?.initialCalendar == Self.apia)
    #expect(try copy.book.account(.number(1))?.isZoneChosen == true)
    #expect(
      try copy.log.page(.number(1), .none, 10_000)
        == original.log.page(.number(1), .none, 10_000), note)
    #expect(try Export(in: copy) == export, note)
    #expect(try copy.upkeep.verify() == [], note)
  }

  @Test(
    "tells whether anybody named a time zone, also one that was left", arguments: StoreKind.ofTier
  )
  func zones(_ kind: StoreKind) async throws {
    for zones in [[], ["Asia/Tokyo"], ["Asia/Tokyo", "UTC"]] {
      let (source, target) = try (TestStore(.memory), TestStore(kind))
      try await source.store.addAccountWithGoal()
      for (place, zone) in zones.enumerated() {
        let edit = Edit(.configure(CalendarSettings.Changes(timeZone: .of(zone))))
        _ = await source.store.send(.of(edit, from: UInt64(10 + place)))
      }
      try target.store.book.addAccount(.some(1))
      _ = try target.store.adopt(try Export(in: source.store))
      #expect(try target.store.book.account(.number(1))?.isZoneChosen == !zones.isEmpty)
    }
  }

  @Test("goes on as the original does", arguments: StoreKind.ofTier)
  func goesOn(_ kind: StoreKind) async throws {
    var edits = RandomBatches(Dice())
    let note = edits.dice.note
    let source = try await written(kind, &edits, rounds: 60)
    let target = try TestStore(kind)
    target.clock.advance(
      milliseconds: source.clock.now.milliseconds - target.clock.now.milliseconds)
    try target.store.book.addAccount(.some(1))
    _ = try target.store.adopt(try Export(in: source.store))
    for _ in 0..<60 {
      let state = try #require(try source.store.state(.number(1))).state
      let batch = edits.batch(for: state, at: source.clock.now)
      let expected = await source.store.send(batch)
      let answer = await target.store.send(batch)
      #expect(answer.statuses == expected.statuses, note)
      #expect(answer.chain == expected.chain, note)
    }
    #expect(try target.store.upkeep.verify() == [], note)
  }

  @Test("does not take the place of anything that is recorded", arguments: StoreKind.ofTier)
  func notEmpty(_ kind: StoreKind) async throws {
    let test = try TestStore(kind)
    try await test.store.addAccountWithGoal()
    try await test.store.addAccountWithGoal(2)
    let before = try Export(of: 2, in: test.store)
    guard case .notEmpty = try test.store.adopt(try Export(of: 1, in: test.store), by: 2) else {
      Issue.record("it was adopted")
      return
    }
    #expect(try Export(of: 2, in: test.store) == before)
    guard case .unknownAccount = try test.store.adopt(before, by: 3) else {
      Issue.record("it was adopted by nobody")
      return
    }
  }

  @Test("may be the same in two accounts", arguments: StoreKind.ofTier)
  func twice(_ kind: StoreKind) async throws {
    let test = try TestStore(kind)
    try await test.store.addAccountWithGoal()
    try test.store.book.addAccount(.some(2))
    let export = try Export(in: test.store)
    _ = try test.store.adopt(export, by: 2)
    #expect(try Export(of: 2, in: test.store) == export)
    #expect(try test.store.upkeep.verify() == [])
  }

  /// What was announced.
  private final class Witness: Sendable {
    let commits = Collected<Commit>()
  }

  @Test("is announced by its state, once readers see it", arguments: StoreKind.alone)
  func announced(_ kind: StoreKind) async throws {
    let test = try TestStore(kind)
    try await test.store.addAccountWithGoal()
    try test.store.book.addAccount(.some(2))
    _ = try test.store.state(.number(2))
    let witness = Witness()
    test.store.updated.observe(withContext: witness) { $0.commits.append($1) }
    _ = try test.store.adopt(try Export(in: test.store), by: 2)
    test.store.updated.network.settle()
    #expect(test.store.stateInMemory(.number(2))?.state.version == Version(2))
    let commit = try #require(witness.commits.all.first)
    #expect(witness.commits.all.count == 1)
    #expect(commit.account == .number(2))
    #expect(commit.edits == [])
    #expect(commit.state.version == Version(2))
  }

  @Test("makes what is known of the empty log before it void", arguments: StoreKind.ofTier)
  func emptyLog(_ kind: StoreKind) async throws {
    var edits = RandomBatches(Dice())
    let source = try await written(kind, &edits, rounds: 5)
    let target = try TestStore(kind)
    try target.store.book.addAccount(.some(1))
    let earlier = try #require(try target.store.log.state(.number(1), .none, nil))
    _ = try target.store.adopt(try Export(in: source.store))
    for version in [Version.none, Version(1)] {
      #expect(
        try target.store.log.state(.number(1), version, earlier)
          == source.store.log.state(.number(1), version, nil))
    }
  }

  @Test("is there wholly or not at all when the disk fails")
  func failure() async throws {
    let source = try TestStore(.memory)
    try await source.store.addAccountWithGoal()
    let export = try Export(in: source.store)
    let backing = FailingBacking()
    let store = Store(
      StoreEngine(
        backing,
        environment: StoreEnvironment(
          now: { .at("2026-11-20T12:00:00Z") }, zone: testZone, track: { _ in }),
        cacheLimit: Store.cacheLimit))
    try store.book.addAccount(.some(1))
    for error in [StoreError.full("x"), .inputOutput("x"), .other("x")] {
      backing.fail(with: error)
      #expect(throws: error) { try store.adopt(export) }
      #expect(try store.state(.number(1))?.state.version == Version.none)
    }
    _ = try store.adopt(export)
    #expect(try Export(in: store) == export)
  }
}

@Suite("An export") struct ExportTests {
  @Test("is the calendar, every payload as it is recorded, and the chain")
  func lines() async throws {
    let test = try TestStore(.sqlite)
    try await test.store.addAccountWithGoal()
    let export = try Export(in: test.store)
    let page = try #require(try test.store.log.page(.number(1), .none, 10))
    let chain = try #require(page.entries.last).chain
    #expect(
      export.lines == [
        """
        {"export":"goals","format":1,\
        "calendar":{"timeZone":"UTC","weekStart":"monday","dayStart":"00:00"}}
        """,
        String(decoding: page.entries[0].payload, as: UTF8.self),
        String(decoding: page.entries[1].payload, as: UTF8.self),
        "{\"whole\":true,\"edits\":2,\"chain\":\"\(chain.hexadecimal)\"}",
      ])
    #expect(chain.hexadecimal.count == 64)
    #expect(Chain(hexadecimal: chain.hexadecimal) == chain)
    let quote = try #require(ImportedLog.quote(in: export.bytes))
    #expect(quote.version == Version(2))
    #expect(quote.chain == chain)
  }

  @Test("ends where the log did when it began")
  func consistent() async throws {
    let test = try TestStore(.sqlite)
    try await test.store.addAccountWithGoal()
    let before = try Export(in: test.store)
    let reader = try #require(try ExportReader.make(of: .number(1), in: test.store))
    for number in UInt64(3)...600 {
      _ = await test.store.send(.of(.bump, from: number))
    }
    #expect(try Export(reader) == before)
    let after = try Export(in: test.store)
    #expect(after.lines.count == 602)
    #expect(after.fault == nil)
  }

  @Test("lacks its last line where the account is gone meanwhile")
  func removed() async throws {
    let test = try TestStore(.sqlite)
    try await test.store.addAccountWithGoal()
    let reader = try #require(try ExportReader.make(of: .number(1), in: test.store))
    _ = try reader.next()
    _ = try test.store.book.removeAccount(.number(1))
    #expect(try reader.next() == nil)
    #expect(try ExportReader.make(of: .number(1), in: test.store) == nil)
  }
}
