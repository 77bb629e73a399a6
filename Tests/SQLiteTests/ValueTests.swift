import SQLite
import Testing

@Suite("A value that goes in and out")
struct ValueTests {
  let connection: Connection

  init() throws {
    connection = try Connection(path: ":memory:", access: .create, busyTimeout: 0)
  }

  @Test(
    "comes back as it was",
    arguments: [
      .null, .integer(.min), .integer(.max), .integer(0), .integer(1 << 40), .real(-0.5),
      .real(.infinity), .text(""), .text("é🧘\u{0}x"), .text(String(repeating: "a", count: 70_000)),
      .blob([]), .blob([0, 255, 0x80]), .blob([UInt8](repeating: 7, count: 70_000)),
    ] as [Value])
  func roundTrip(_ value: Value) throws {
    #expect(try connection.rows("SELECT ?", value) == [[value]])
  }

  @Test("is null where it is not a number, as SQLite has none such")
  func notANumber() throws {
    #expect(try connection.rows("SELECT ?", .real(.nan)) == [[.null]])
  }

  @Test(
    "may be bytes that are no String", arguments: [[], [0x61], [0xc3, 0xa9, 0x00]] as [[UInt8]])
  func bytes(_ bytes: [UInt8]) throws {
    let statement = try connection.prepare("SELECT ?, ?, typeof(?1)")
    try statement.bind(text: bytes.span, at: 1)
    try statement.bind(blob: bytes.span, at: 2)
    let seen = try #require(
      try statement.first { row in
        (
          try row.visitText(at: 0) { $0.withUnsafeBytes { Array($0) } },
          try row.visitBlob(at: 1) { $0.withUnsafeBytes { Array($0) } }, try row.text(at: 2)
        )
      })
    #expect(seen.0 == bytes)
    #expect(seen.1 == bytes)
    #expect(seen.2 == "text")
  }

  @Test("is empty, not null, when its bytes have no address")
  func noAddress() throws {
    let statement = try connection.prepare("SELECT ?, ?")
    try statement.bind(text: Span(), at: 1)
    try statement.bind(blob: Span(), at: 2)
    #expect(try statement.step())
    #expect(try statement.value(at: 0) == "")
    #expect(try statement.value(at: 1) == .blob([]))
  }

  @Test("is never read as another type", arguments: ["NULL", "1", "1.5", "'1'", "x'31'"])
  func strictTypes(_ literal: String) throws {
    let statement = try connection.prepare("SELECT \(literal)")
    #expect(try statement.step())
    let type = try statement.type(at: 0)
    func outcome<T>(_ read: () throws -> T) -> SQLiteError.Kind? {
      do {
        _ = try read()
        return nil
      } catch {
        return (error as? SQLiteError)?.kind
      }
    }
    #expect(outcome { try statement.integer(at: 0) } == (type == .integer ? nil : .mismatch))
    #expect(outcome { try statement.real(at: 0) } == (type == .real ? nil : .mismatch))
    #expect(outcome { try statement.text(at: 0) } == (type == .text ? nil : .mismatch))
    #expect(outcome { try statement.blob(at: 0) } == (type == .blob ? nil : .mismatch))
    #expect(try statement.isNull(at: 0) == (literal == "NULL"))
  }

  @Test("is refused where text is not UTF-8")
  func badText() throws {
    let statement = try connection.prepare("SELECT CAST(x'61ff' AS TEXT)")
    #expect(try statement.step())
    let error = #expect(throws: SQLiteError.self) { try statement.text(at: 0) }
    #expect(error?.kind == .mismatch)
    #expect(try statement.visitText(at: 0) { $0.count } == 2)
  }

  @Test(
    "is refused for a parameter that is not there",
    arguments: [Int.min, -1, 0, 2, 1 << 40, Int.max])
  func noSuchParameter(_ parameter: Int) throws {
    let statement = try connection.prepare("SELECT ?")
    #expect(throws: SQLiteError.self) { try statement.bind(1, at: parameter) }
    #expect(throws: SQLiteError.self) { try statement.bind("a", at: parameter) }
    #expect(throws: SQLiteError.self) { try statement.bind(value: .blob([1]), at: parameter) }
    #expect(throws: SQLiteError.self) { try statement.bind(value: .blob([]), at: parameter) }
    #expect(throws: SQLiteError.self) { try statement.bindNull(at: parameter) }
  }

  @Test(
    "is refused from a column that is not there", arguments: [Int.min, -1, 1, 1 << 40, Int.max])
  func noSuchColumn(_ column: Int) throws {
    let statement = try connection.prepare("SELECT 1")
    #expect(try statement.step())
    #expect(throws: SQLiteError.self) { try statement.integer(at: column) }
    #expect(throws: SQLiteError.self) { try statement.text(at: column) }
    #expect(throws: SQLiteError.self) { try statement.visitBlob(at: column) { $0.count } }
    #expect(try statement.value(at: column) == .null)
  }
}
