import GoalsCore
import Testing

@testable import GoalsStore

@Suite("The log of an account")
struct LogTests {
  /// Accounts 1, 2 and 3, each with 7 edits: adding, activating, five bumps.
  private func store(_ kind: StoreKind) async throws -> Store {
    let store = try TestStore(kind).store
    for account in UInt64(1)...3 {
      try await store.addAccountWithGoal(account)
      _ = await store.send(
        .of(all: [Edit](repeating: .bump, count: 5), from: 3), to: account)
    }
    return store
  }

  @Test(
    "is read a page at a time",
    arguments: StoreKind.ofTier,
    [
      (0, 3, [1, 2, 3]), (0, 100, [1, 2, 3, 4, 5, 6, 7]), (3, 2, [4, 5]), (6, 10, [7]),
      (7, 10, []), (0, 0, []), (8, 10, []), (1000, 10, []),
      // Past what the key of a row has room for.
      (1 << 40 - 1, 10, []), (1 << 40, 10, []), (1 << 40 + 3, 10, []), (3 << 40, 10, []),
      (.max, 10, []),
    ])
  func page(_ kind: StoreKind, _ read: (after: Int, limit: Int, versions: [Int])) async throws {
    let store = try await store(kind)
    let page = try #require(try store.log.page(.number(3), Version(read.after), read.limit))
    #expect(page.entries.map(\.version.number) == read.versions)
    #expect(page.head == Version(7))
    let all = try #require(try store.log.page(.number(3), .none, 100))
    #expect(page.entries.allSatisfy(all.entries.contains))
    switch read.after {
    case 0: #expect(page.chainBefore == ChainMaker.start(.initial))
    case 1...7: #expect(page.chainBefore == all.entries[read.after - 1].chain)
    default: #expect(page.chainBefore == nil)
    }
  }

  @Test("is read so many bytes at a time, and an edit at least", arguments: StoreKind.ofTier)
  func bytes(_ kind: StoreKind) async throws {
    let store = try TestStore(kind).store
    try store.book.addAccount(.some(1))
    let ids = (UInt64(1)...1000).map { Goal.ID.number($0) }
    _ = await store.send(
      .of(all: ids.map { Edit(.add(Goal(id: $0, title: .of("Goal")))) }, from: 1))
    for turn in 0..<UInt64(40) {
      let activity = ids.map { KeyedActivity.Element(goal: $0, isActive: turn % 2 == 0) }
      _ = await store.send(
        .of(Edit(.setActivity(.keyed(KeyedActivity(activity)))), from: 2000 + turn))
    }
    let head = try #require(try store.state(.number(1))).state.version
    #expect(head == Version(1040))
    var (version, pages) = (Version.none, 0)
    while version < head {
      let page = try #require(try store.log.page(.number(1), version, 2000))
      let bytes = page.entries.reduce(0) { $0 + $1.payload.count }
      #expect((1...LogRow.bytesAtOnce + 100_000).contains(bytes))
      #expect(page.entries.first?.version == version.next)
      version = try #require(page.entries.last?.version)
      pages += 1
    }
    #expect(pages > 3)
    #expect(try store.upkeep.verify().isEmpty)
  }

  @Test(
    "is searched, and folded, so many bytes at a time, with those that undos take back",
    arguments: StoreKind.ofTier.filter { $0 != .memory && $0 != .shared })
  func undos(_ kind: StoreKind) async throws {
    let store = try TestStore(kind).store
    try store.book.addAccount(.some(1))
    let ids = (UInt64(1)...1000).map { Goal.ID.number($0) }
    _ = await store.send(
      .of(all: ids.map { Edit(.add(Goal(id: $0, title: .of("Goal")))) }, from: 1))
    let activity = ids.map { KeyedActivity.Element(goal: $0, isActive: true) }
    _ = await store.send(.of(Edit(.setActivity(.keyed(KeyedActivity(activity)))), from: 2000))
    // Each takes back the one before it.
    for undo in UInt64(1)...40 {
      _ = await store.send(.of(Edit(.undo(.number(1999 + undo))), from: 2000 + undo))
    }
    let (first, head) = (Version(1001), Version(1041))
    var (version, portions) = (first, 0)
    while version < head {
      let page = try #require(try store.log.search(.number(1), ids[7], version, 500))
      #expect((1...20).contains(page.entries.count))
      #expect(page.head == head)
      #expect(page.found.map(\.version) == page.entries.map(\.version))
      #expect(page.entries.first?.version == version.next)
      version = try #require(page.entries.last?.version)
      portions += 1
    }
    #expect((3...10).contains(portions))
    var past = try #require(try store.log.state(.number(1), first, nil))
    portions = 0
    while past.state.version < head {
      let next = try #require(try store.log.advance(.number(1), head, past))
      #expect((1...20).contains(next.state.version.number - past.state.version.number))
      past = next
      portions += 1
    }
    #expect((3...10).contains(portions))
    #expect(past.state == (try store.state(.number(1)))?.state)
  }

  @Test("of an empty account begins and ends at its calendar", arguments: StoreKind.ofTier)
  func empty(_ kind: StoreKind) async throws {
    let store = try TestStore(kind).store
    let calendar = CalendarSettings(
      timeZone: .of("Europe/Berlin"), weekStart: .sunday, dayStart: .of("03:30"))
    try store.book.addAccount(.some(1, calendar: calendar))
    let page = try #require(try store.log.page(.number(1), .none, 10))
    #expect(page == LogPage(entries: [], chainBefore: ChainMaker.start(calendar), head: .none))
    #expect(try store.state(.number(1))?.chain == ChainMaker.start(calendar))
    #expect(try store.state(.number(1))?.state == AccountState(calendar: calendar))
    #expect(try store.log.page(.number(1), Version(1), 10)?.chainBefore == nil)
  }

  @Test("tells of no edit before the list does")
  func seenTogether() async throws {
    let backing = FailingBacking()
    let environment = StoreEnvironment(
      now: { .at("2026-11-20T12:00:00Z") }, zone: testZone, track: { _ in })
    let store = Store(StoreEngine(backing, environment: environment, cacheLimit: Store.cacheLimit))
    try await store.addAccountWithGoal()
    let heads = Collected<[Version?]>()
    backing.afterCommits {
      let state = try? store.state(.number(1))?.state.version
      let page = try? store.log.page(.number(1), .none, 100)
      let entry = try? store.log.entry(.number(1), .number(3))
      let past = try? store.log.state(.number(1), Version(3), nil)
      heads.append([
        state, page?.head, page?.entries.last?.version, entry?.version, past?.state.version,
      ])
    }
    _ = await store.send(.of(.bump, from: 3))
    #expect(heads.all == [[Version(2), Version(2), Version(2), nil, nil]])
    #expect(try store.log.page(.number(1), .none, 100)?.head == Version(3))
    #expect(try store.log.entry(.number(1), .number(3))?.version == Version(3))
  }

  @Test("is read an entry at a time", arguments: StoreKind.ofTier)
  func entry(_ kind: StoreKind) async throws {
    let store = try await store(kind)
    let all = try #require(try store.log.page(.number(2), .none, 100)).entries
    for entry in all { #expect(try store.log.entry(.number(2), entry.id) == entry) }
    #expect(try store.log.entry(.number(2), .number(8)) == nil)
    #expect(try store.log.entry(.number(4), .number(1)) == nil)
  }

  @Test("keeps what clients read, byte by byte", arguments: StoreKind.ofTier)
  func payload(_ kind: StoreKind) async throws {
    let store = try TestStore(kind).store
    try await store.addAccountWithGoal()
    let bump = Edit(.bump(.number(1), by: .of(2), note: .of("a\u{0}\"é")))
    _ = await store.send(.of(bump, from: 3))
    let payloads = try #require(try store.log.page(.number(1), .none, 10)).entries
      .map { String(decoding: $0.payload, as: UTF8.self) }
    let goal = #""00000000-0000-0000-0000-000000000001""#
    let recorded = #""recordedAt":"2026-11-20T12:00:00.000Z","device":"phone""#
    #expect(
      payloads == [
        #"{"id":"00000000-0000-0000-0000-000000000001","type":"add","goal":{"id":\#(goal),"#
          + #""title":"Goal","colour":"green","interval":"daily","frequency":1,"unit":null},"#
          + #""at":"2026-11-20T12:00:00.000Z","version":1,\#(recorded)}"#,
        #"{"id":"00000000-0000-0000-0000-000000000002","type":"setActivity","#
          + #""activity":{\#(goal):true},"at":"2026-11-20T12:00:00.000Z","version":2,\#(recorded)}"#,
        #"{"id":"00000000-0000-0000-0000-000000000003","type":"bump","goal":\#(goal),"by":2,"#
          + #""note":"a\u0000\"é","at":"2026-11-20T12:00:00.000Z","version":3,\#(recorded),"#
          + #""day":"2026-11-20"}"#,
      ])
  }
}

@Suite("The chain of an account")
struct ChainTests {
  @Test(
    "is SHA-256 over the link before, the format and the payload", arguments: StoreKind.ofTier)
  func links(_ kind: StoreKind) async throws {
    let test = try TestStore(kind)
    try await test.store.addAccountWithGoal()
    var random = RandomBatches(Dice(seed: 1))
    for _ in 0..<40 {
      let state = try #require(try test.store.state(.number(1))).state
      _ = await test.store.send(random.batch(for: state, at: test.clock.now))
    }
    let page = try #require(try test.store.log.page(.number(1), .none, 1000))
    #expect(page.entries.count > 40)
    let calendar = #"{"timeZone":"UTC","weekStart":"monday","dayStart":"00:00"}"#
    var link = SHA256.hash(Array("goals/1\n\(calendar)".utf8))
    #expect(page.chainBefore?.bytes == link)
    for entry in page.entries {
      #expect(entry.format == 1)
      link = SHA256.hash(link + [1] + entry.payload)
      #expect(entry.chain.bytes == link)
    }
    #expect(try test.store.state(.number(1))?.chain.bytes == link)
  }

  @Test("is made as the examples of FIPS 180-4 in this test, too")
  func reference() {
    // NIST's examples of one and of two blocks.
    #expect(
      hexadecimal(SHA256.hash(Array("abc".utf8)))
        == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
    #expect(
      hexadecimal(
        SHA256.hash(Array("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq".utf8)))
        == "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1")
  }

  @Test("is the same in both stores, and knows neither name nor id of the account")
  func same() async throws {
    var chains: [Chain?] = []
    for kind in StoreKind.ofTier {
      for account in UInt64(1)...2 {
        let store = try TestStore(kind).store
        try store.book.addAccount(.some(account, name: "Number \(account)"))
        let answer = await store.send(.of(.addGoal, .activate, .bump, from: 1), to: account)
        chains.append(answer.chain)
      }
    }
    #expect(chains.first != .some(nil))
    #expect(Set(chains).count == 1)
  }

  private func hexadecimal(_ bytes: [UInt8]) -> String {
    bytes.map { byte in
      let digits = String(byte, radix: 16)
      return digits.count == 1 ? "0" + digits : digits
    }
    .joined()
  }
}
