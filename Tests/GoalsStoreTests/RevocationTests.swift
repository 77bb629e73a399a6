import ChangePropagation
import GoalsCore
import Testing

@testable import GoalsStore

@Suite("A token that is revoked", .timeLimit(.minutes(5)))
struct RevocationTests {
  private func store(_ kind: StoreKind) async throws -> Store {
    let store = try TestStore(kind).store
    try await store.addAccountWithGoal()
    for number in UInt64(1)...2 {
      _ = try store.book.addToken(.some(number, of: 1, secret: UInt8(number)), nil)
    }
    return store
  }

  @Test("records nothing more, also of what waits for the writer", arguments: StoreKind.ofTier)
  func waiting(_ kind: StoreKind) async throws {
    let store = try await store(kind)
    let answers = Collected<String>()
    func change(_ number: UInt64, by token: UInt64) {
      store.submit(
        .init(account: .number(1), token: .number(token), batch: .of(.bump, from: number))
      ) { answers.append("\(token): \($0.name)") }
    }
    store.updated.network.sync {
      for number in UInt64(1)...2 { change(10 + number, by: number) }
      #expect((try? store.book.revokeToken(.number(1), of: .number(1))) == true)
    }
    for number in UInt64(1)...2 { change(20 + number, by: number) }
    // Where others write the log, too, the second's are decided again on what the book is now.
    while answers.all.count < 4 { store.updated.network.settle() }
    #expect(answers.all.sorted() == ["1: refused", "1: refused", "2: ruled", "2: ruled"])
    #expect(try store.state(.number(1))?.state.version == Version(4))
  }

  @Test("has nothing taken in", arguments: StoreKind.ofTier)
  func adoption(_ kind: StoreKind) async throws {
    let store = try await store(kind)
    let export = try Export(in: store)
    try store.book.addAccount(.some(2))
    #expect(try store.book.revokeToken(.number(1), of: .number(1)))
    #expect(throws: StoreError.refused) { try store.adopt(export, by: 2, with: .number(1)) }
    #expect(try store.state(.number(2))?.state.version == Version.none)
    guard case .adopted = try store.adopt(export, by: 2, with: .number(2)) else {
      Issue.record("the other was refused")
      return
    }
  }

  @Test("is remembered for ten minutes, in bounded memory")
  func memory() {
    var revocations = Revocations()
    #expect(!revocations.include(nil))
    revocations.add(.number(1), at: .seconds(1))
    #expect(revocations.include(.number(1)))
    #expect(!revocations.include(.number(2)))
    for number in UInt64(2)...1001 { revocations.add(.number(number), at: .seconds(601)) }
    #expect(!revocations.include(.number(1)))
    #expect(revocations.include(.number(2)))
  }
}
