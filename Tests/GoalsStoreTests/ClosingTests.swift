import ChangePropagation
import GoalsCore
import Testing

@testable import GoalsStore

@Suite("A store that is closed")
struct ClosingTests {
  @Test(
    "refuses what waits and what comes later, and records nothing of it",
    arguments: StoreKind.ofTier
  )
  func refusal(_ kind: StoreKind) async throws {
    let test = try TestStore(kind)
    let store = test.store
    try await store.addAccountWithGoal()
    let answers = Collected<String>()
    let many = [Edit](repeating: .bump, count: 1500)
    store.updated.network.sync {
      // More than one transaction takes.
      for place in 0..<UInt64(3) {
        store.submit(.init(account: .number(1), batch: .of(all: many, from: 10 + 1500 * place))) {
          answers.append("before: \($0.name)")
        }
      }
      store.destroy()
      store.submit(.init(account: .number(1), batch: .of(.bump, from: 3))) {
        answers.append("later: \($0.name)")
      }
    }
    #expect(
      answers.all == [
        "before: unavailable", "before: unavailable", "before: unavailable", "later: unavailable",
      ])
    store.destroy()
    #expect(await store.send(.of(.bump, from: 3)).name == "unavailable")
    let after = try test.reopened().store
    #expect(try after.state(.number(1))?.state.version == Version(2))
  }

  @Test("takes nothing more while it refuses what waits", arguments: StoreKind.ofTier)
  func closing(_ kind: StoreKind) async throws {
    let store = try TestStore(kind).store
    try await store.addAccountWithGoal()
    let answers = Collected<String>()
    store.updated.network.sync {
      store.submit(.init(account: .number(1), batch: .of(.bump, from: 3))) { answer in
        answers.append("before: \(answer.name)")
        store.submit(.init(account: .number(1), batch: .of(.bump, from: 4))) {
          answers.append("meanwhile: \($0.name)")
        }
      }
      store.destroy()
    }
    store.updated.network.settle()
    #expect(answers.all == ["before: unavailable", "meanwhile: unavailable"])
  }

  @Test("answers no question of the disk", arguments: StoreKind.ofTier)
  func closed(_ kind: StoreKind) async throws {
    let store = try TestStore(kind).store
    try await store.addAccountWithGoal()
    store.destroy()
    #expect(throws: StoreError.closed) { try store.log.page(.number(1), .none, 10) }
    #expect(throws: StoreError.closed) { try store.log.entry(.number(1), .number(1)) }
    #expect(throws: StoreError.closed) { try store.state(.number(2)) }
    #expect(throws: StoreError.closed) { try store.book.accounts() }
    #expect(throws: StoreError.closed) { try store.book.account(.number(1)) }
    #expect(throws: StoreError.closed) { try store.book.addAccount(.some(2)) }
    #expect(throws: StoreError.closed) { try store.book.removeAccount(.number(1)) }
    #expect(throws: StoreError.closed) { try store.book.tokens(.number(1)) }
    #expect(throws: StoreError.closed) { try store.book.token([]) }
    #expect(throws: StoreError.closed) {
      _ = try store.book.addToken(.some(1, of: 1, secret: 1), nil)
    }
    #expect(throws: StoreError.closed) { try store.book.revokeToken(.number(1), of: .number(1)) }
    #expect(throws: StoreError.closed) { try store.upkeep.probe() }
    #expect(throws: StoreError.closed) { try store.upkeep.verify() }
    #expect(throws: StoreError.closed) { try store.reset() }
  }

  @Test("answers everyone who hands in while it closes, truly", arguments: StoreKind.ofTier)
  func race(_ kind: StoreKind) async throws {
    for _ in 0..<20 {
      let test = try TestStore(kind)
      let store = test.store
      try await store.addAccountWithGoal()
      let answers = try await onThreads(4) { thread -> [Answer] in
        if thread == 0 {
          store.destroy()
          return []
        }
        return (0..<30).compactMap { place in
          store.sendAndWait(.of(.bump, from: UInt64(100 * thread + place)))
        }
      }.flatMap { $0 }
      let recorded = answers.flatMap { $0.ruling?.recorded ?? [] }
      #expect(answers.allSatisfy { ["ruled", "unavailable"].contains($0.name) })
      // Closed is closed: nobody has opened the file again.
      #expect(!test.events.all.contains(.reopened))
      if let folder = test.folder {
        #expect(try folder.contents().keys.sorted() == ["goals.sqlite"])
      }
      let after = try test.reopened().store
      #expect(try after.state(.number(1))?.state.version == Version(2 + recorded.count))
    }
  }
}
