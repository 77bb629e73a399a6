import GoalsCore
import Testing

@testable import GoalsService

private func chain(_ prefix: UInt64) -> Chain { Chain(words: (prefix, 1, 2, 3)) }

@Suite("A cursor") struct CursorTests {
  private static let cursors: [(Int, UInt64, String)] = [
    (0, 0, "0.0000000000000000"), (1, 1, "1.0000000000000001"),
    (41, 0xABC, "41.0000000000000abc"), (.max, .max, "9223372036854775807.ffffffffffffffff"),
  ]

  @Test("is a version and the beginning of the chain there, and reads itself", arguments: cursors)
  func roundTrip(_ version: Int, _ prefix: UInt64, _ text: String) throws {
    let cursor = Cursor(Version(version), chain(prefix))
    #expect(cursor.description == text)
    #expect(Cursor(text) == cursor)
    #expect(cursor.head == Batch.Head(version: Version(version), chainPrefix: prefix))
  }

  @Test("fits the chain that begins so, and no other")
  func fits() throws {
    let cursor = try #require(Cursor("41.0000000000000abc"))
    #expect(cursor.fits(chain(0xABC)))
    #expect(!cursor.fits(chain(0xABD)))
  }

  private static let others = [
    "", ".", "1", "1.", ".0000000000000001", "1.1", "1.000000000000001", "1.00000000000000001",
    "01.0000000000000001", "+1.0000000000000001", "-1.0000000000000001", " 1.0000000000000001",
    "1.0000000000000001 ", "1.000000000000000A", "1.000000000000000g", "1.+000000000000001",
    "1.-000000000000001", "1.0000000000000001.", "1..000000000000001",
    "9223372036854775808.0000000000000001", "１.0000000000000001", "1.000000000000001é",
    "1,0000000000000001", "\"1.0000000000000001\"", "1.0000000000000001\0",
  ]

  @Test("is no other text", arguments: others)
  func refuses(_ text: String) {
    #expect(Cursor(text) == nil)
  }
}

@Suite("An entity tag") struct EntityTagTests {
  private let cursor = Cursor(Version(41), chain(0xABC))

  @Test("is the position in the log, and until when what is read holds")
  func text() {
    let until = Instant(milliseconds: 1_795_219_200_000)
    #expect(EntityTag(cursor, validUntil: until).description == "\"41.0000000000000abc~tots00\"")
    #expect(EntityTag(cursor, validUntil: nil).description == "\"41.0000000000000abc~-\"")
    #expect(EntityTag(cursor, validUntil: until) != EntityTag(cursor, validUntil: nil))
  }

  @Test("tells a write its position alone", arguments: [nil, 0, 1_795_219_200_000, -1000])
  func head(_ milliseconds: Int64?) {
    let tag = EntityTag(cursor, validUntil: milliseconds.map { Instant(milliseconds: $0) })
    #expect(EntityTag.head(of: tag.description) == cursor.head)
  }

  private static let others = [
    "", "\"", "\"\"", "41.0000000000000abc~-", "\"41.0000000000000abc\"",
    "W/\"41.0000000000000abc~-\"", "\"41.0000000000000abc~-", "41.0000000000000abc~-\"",
    "\"41.0000000000000abc~-~\"", "\"x~-\"", "\"~\"", "'41.0000000000000abc~-'",
  ]

  @Test("that is not ours, or is weak, names no position", arguments: others)
  func refuses(_ text: String) {
    #expect(EntityTag.head(of: text) == nil)
  }
}
