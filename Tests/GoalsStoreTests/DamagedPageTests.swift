import GoalsCore
import Testing

@testable import GoalsStore

@Suite("A page with a payload that was damaged")
struct DamagedPageTests {
  private static let damage =
    "UPDATE edit SET payload = replace(payload, '\"by\":2', '\"by\":3') WHERE place = "
    + Tampering.place(5)
  private static let account = Account.ID(high: 0, low: 1)

  @Test("is not given out", arguments: [0, 4])
  func page(after version: Int) async throws {
    let test = try await StoredAccounts().tampered(by: Self.damage)
    let error = #expect(throws: StoreError.self) {
      try test.store.log.page(Self.account, Version(version), 10)
    }
    #expect(error?.passes == false)
  }

  @Test("does not keep the pages before and after it from being read")
  func others() async throws {
    let test = try await StoredAccounts().tampered(by: Self.damage)
    let before = try test.store.log.page(Self.account, .none, 4)
    let after = try test.store.log.page(Self.account, Version(5), 4)
    #expect(before?.entries.map(\.version.number) == [1, 2, 3, 4])
    #expect(after?.entries.map(\.version.number) == [6, 7, 8, 9])
  }
}
