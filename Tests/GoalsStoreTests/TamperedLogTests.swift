import GoalsCore
import Testing

@testable import GoalsStore

@Suite("A log that was tampered with")
struct TamperedLogTests {
  private static func update(_ change: String, _ version: Int) -> String {
    "UPDATE edit SET \(change) WHERE place = \(Tampering.place(version))"
  }

  static let log: [Tampering] = [
    .init(
      update("payload = replace(payload, '\"by\":2', '\"by\":3')", 5),
      "at version 5 the chain does not fit what is recorded"),
    .init(
      update("payload = replace(payload, 'noted', 'nOted')", 5),
      "at version 5 the chain does not fit what is recorded"),
    .init(
      update("payload = payload || ' '", 18),
      "at version 18 the chain does not fit what is recorded"),
    .init(update("payload = ''", 1), "at version 1 the chain does not fit what is recorded"),
    .init(
      update("payload = x'ff' || payload", 3),
      "at version 3 the chain does not fit what is recorded"),
    .init(update("format = 2", 4), "at version 4 the chain does not fit what is recorded"),
    // A byte of the chain is all that there is of the format.
    .init(update("format = 257", 4), "the edit of version 4 can't be read"),
    .init(update("hash = zeroblob(32)", 6), "at version 6 the chain does not fit what is recorded"),
    .init(
      update("hash = zeroblob(32)", 18), "at version 18 the chain does not fit what is recorded"),
    .init(update("hash = x'00'", 6), "the row of version 6 can't be read"),
    .init(
      update("id = zeroblob(16)", 6), "at version 6 the edit's id or version is not that of its row"
    ),
    .init(update("id = x'00'", 6), "the row of version 6 can't be read"),
    .init(
      "DELETE FROM edit WHERE place = \(Tampering.place(9))", "version 9 is missing from the log"),
    .init(
      "DELETE FROM edit WHERE place = \(Tampering.place(1))", "version 1 is missing from the log"),
    .init("DELETE FROM edit WHERE place >> 40 = 1", "chains of undo"),
    // The last edit turned goal 1 off.
    .init(
      "DELETE FROM edit WHERE place = \(Tampering.place(18))",
      "goal 00000000-0000-0000-0000-000000000001 is not as the log tells it"),
    .init(
      "UPDATE edit SET place = place + 1000 WHERE place = \(Tampering.place(9))",
      "version 9 is missing from the log"),
    .init(
      """
      UPDATE edit SET place = 7 WHERE place = \(Tampering.place(6));
      UPDATE edit SET place = place - 1 WHERE place = \(Tampering.place(7));
      UPDATE edit SET place = \(Tampering.place(7)) WHERE place = 7
      """, "at version 6 the chain does not fit what is recorded"),
    .init(
      """
      INSERT INTO edit SELECT place + 12, zeroblob(16), format, payload, inverse, hash, bytes
        FROM edit WHERE place = \(Tampering.place(7))
      """, "at version 19 the chain does not fit what is recorded"),
  ]

  private static let undoOfNothing = update(
    "inverse = json_remove(inverse, '$.root', '$.undone')", 8)

  static let inverse: [Tampering] = [
    .init(
      update("inverse = replace(inverse, 'Second', 'Third')", 10),
      "at version 10 what undoing it needs is not what it did"),
    .init(
      update("inverse = replace(inverse, '\"frequency\":1', '\"frequency\":2')", 10),
      "at version 10 what undoing it needs is not what it did"),
    .init(update("inverse = NULL", 10), "the edit of version 10 can't be read"),
    .init(update("inverse = ''", 10), "the edit of version 10 can't be read"),
    // One that is not needed.
    .init(
      """
      UPDATE edit SET inverse = (SELECT inverse FROM edit WHERE place = \(Tampering.place(10)))
        WHERE place = \(Tampering.place(5))
      """, "at version 5 what undoing it needs is not what it did"),
    .init(
      update("inverse = replace(inverse, '\"root\":7', '\"root\":6')", 8),
      "at version 8 what was taken back is not what the log says"),
    // An undo of nothing, and a bump that took something back.
    .init(undoOfNothing, "the edit of version 8 can't be read"),
    .init(
      """
      UPDATE edit SET inverse = (SELECT inverse FROM edit WHERE place = \(Tampering.place(8)))
        WHERE place = \(Tampering.place(7))
      """, "the edit of version 7 can't be read"),
    // Both what was taken back and what takes that back, so that the two fit each other.
    .init(
      update("inverse = replace(replace(inverse, ':-1,', ':-2,'), ':1,', ':2,')", 8),
      "at version 8 what was taken back is not what the log says"),
    .init(
      update("inverse = replace(replace(inverse, ':-1,', ':-2,'), ':1,', ':2,')", 8)
        + "; UPDATE day SET count = count - 1 WHERE account = 1 AND slot = 0",
      "at version 8 what was taken back is not what the log says"),
  ]

  static let chains: [Tampering] = [
    .init("UPDATE undo_chain SET latest = 12 WHERE account = 1 AND root = 6", "chains of undo"),
    .init("UPDATE undo_chain SET undone = 1 WHERE account = 1 AND root = 6", "chains of undo"),
    .init("UPDATE undo_chain SET undone = 0 WHERE account = 1 AND root = 7", "chains of undo"),
    .init(
      "UPDATE undo_chain SET undone = 2 WHERE account = 1 AND root = 7",
      "chain of undo from version 7"),
    .init("UPDATE undo_chain SET root = 5 WHERE account = 1 AND root = 6", "chains of undo"),
    .init("DELETE FROM undo_chain WHERE account = 1 AND root = 6", "chains of undo"),
    .init("INSERT INTO undo_chain VALUES (1, 5, 99, 1)", "chains of undo"),
    .init(
      "DELETE FROM undo_chain WHERE account = 2; UPDATE undo_chain SET account = 2",
      "chains of undo"),
  ]

  static let calendar: [Tampering] = [
    .init(
      "UPDATE account SET time_zone = 'Pacific/Apia' WHERE number = 1",
      "at version 1 the chain does not fit what is recorded"),
    .init(
      "UPDATE account SET week_start = 3 WHERE number = 1",
      "at version 1 the chain does not fit what is recorded"),
    .init(
      "UPDATE account SET day_start = 60 WHERE number = 1",
      "at version 1 the chain does not fit what is recorded"),
    .init(
      "UPDATE account SET time_zone = '../zone' WHERE number = 1", "its calendar can't be read"),
    .init("UPDATE account SET week_start = 8 WHERE number = 1", "its calendar can't be read"),
    .init("UPDATE account SET day_start = -1 WHERE number = 1", "its calendar can't be read"),
  ]

  @Test(
    "is found out, in words that name the account", arguments: log + inverse + chains + calendar)
  func found(_ tampering: Tampering) async throws {
    let test = try await StoredAccounts().tampered(by: tampering.sql)
    let faults = try test.store.upkeep.verify()
    let name = "account 00000000-0000-0000-0000-000000000001: "
    #expect(faults.contains { $0.hasPrefix(name) && $0.contains(tampering.said) }, "\(faults)")
  }

  @Test("is not read as if an undo of nothing had changed nothing")
  func undoOfNothing() async throws {
    let test = try await StoredAccounts().tampered(by: Self.undoOfNothing)
    #expect(try test.store.log.state(.number(1), Version(7), nil) != nil)
    let fault = "account \(Account.ID.number(1)): the edit of version 8 can't be read"
    #expect(throws: StoreError.corrupt(fault)) {
      try test.store.log.state(.number(1), Version(8), nil)
    }
  }
}
