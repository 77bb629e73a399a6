import Foundation
import PostgreSQLTestSupport
import TestSupport
import Testing

@testable import PostgreSQL

private let id = UUIDBits(high: 0x0123_4567_89ab_cdef, low: 0xfedc_ba98_7654_3210)

@Suite(
  "A value that goes to the server and back",
  .enabled(if: Tier.isAll, "runs in make test-all"))
struct TypeTests {
  let connection: Connection

  init() throws {
    connection = try Cluster.common.get().connect()
  }

  /// The one value that a statement answers, and the same as the server's text.
  private func echo(_ type: String, _ add: (inout Parameters) -> Void) throws -> Row {
    var parameters = Parameters()
    add(&parameters)
    let rows = try connection.run(
      Query("echo \(type)", "SELECT $1::\(type), ($1::\(type))::text"), parameters,
      within: .seconds(30))
    return try #require(rows.first)
  }

  @Test("is the bigint it was", arguments: [.min, -1, 0, 1, 1 << 40, .max] as [Int64])
  func bigint(_ value: Int64) throws {
    let row = try echo("bigint") { $0.add(value) }
    #expect(try row.bigint(at: 0) == value)
    #expect(try row.text(at: 1) == "\(value)")
  }

  @Test("is the smallint it was", arguments: [.min, -1, 0, 1, .max] as [Int16])
  func smallint(_ value: Int16) throws {
    let row = try echo("smallint") { $0.add(smallint: value) }
    #expect(try row.smallint(at: 0) == value)
    #expect(try row.text(at: 1) == "\(value)")
  }

  @Test("is the bool it was", arguments: [true, false])
  func bool(_ value: Bool) throws {
    let row = try echo("bool") { $0.add(value) }
    #expect(try row.bool(at: 0) == value)
    #expect(try row.text(at: 1) == "\(value)")
  }

  @Test("is the UUID it was")
  func uuid() throws {
    let row = try echo("uuid") { $0.add(id) }
    #expect(try row.uuid(at: 0) == id)
    #expect(try row.text(at: 1) == "01234567-89ab-cdef-fedc-ba9876543210")
  }

  @Test(
    "is the text it was",
    arguments: ["", "a", "é🧘", "it's \"quoted\" \\ {,}", String(repeating: "a", count: 70_000)])
  func text(_ value: String) throws {
    let row = try echo("text") { $0.add(value) }
    #expect(try row.text(at: 0) == value)
    #expect(try row.utf8(at: 0) == Array(value.utf8))
    #expect(try row.visit(at: 0, .text) { $0.count } == value.utf8.count)
    let same = try echo("text") { $0.add(text: Array(value.utf8).span) }
    #expect(try same.text(at: 1) == value)
  }

  @Test("is the bytea it was", arguments: [0, 1, 3, 70_000, 1 << 20])
  func bytea(_ count: Int) throws {
    let value = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    let row = try echo("bytea") { $0.add(bytea: value.span) }
    #expect(try row.bytea(at: 0) == value)
    #expect(try row.visit(at: 0, .bytea) { $0.count } == count)
  }

  @Test(
    "is null of every type", arguments: ["bigint", "smallint", "bool", "uuid", "text", "bytea"])
  func null(_ type: String) throws {
    let row = try echo(type) { $0.addNull() }
    #expect(row.isNull(at: 0))
    let error = #expect(throws: PostgreSQLError.self) { try row.bigint(at: 0) }
    #expect(error?.kind == .defect)
    let array = try echo("\(type)[]") { $0.addNull() }
    #expect(array.isNull(at: 0))
  }

  @Test("is refused where it is no text that PostgreSQL can hold", arguments: ["a\u{0}b"])
  func badText(_ value: String) throws {
    let error = #expect(throws: PostgreSQLError.self) { try echo("text") { $0.add(value) } }
    #expect(error?.state?.description == "22021")
    let bytes: [UInt8] = [0x61, 0xff]
    let other = #expect(throws: PostgreSQLError.self) {
      try echo("text") { $0.add(text: bytes.span) }
    }
    #expect(other?.kind == .defect)
    #expect(try echo("text") { $0.add("next") }.text(at: 0) == "next")
  }

  @Test("is refused where it is of another type than its parameter")
  func wrongParameter() throws {
    for add in [{ $0.add("12345678") }, { $0.add(true) }, { $0.add(smallint: 1) }]
      as [(inout Parameters) -> Void]
    {
      let error = #expect(throws: PostgreSQLError.self) { _ = try echo("uuid", add) }
      #expect(error?.kind == .defect)
      #expect(error?.state.map { ["08P01", "22P03"].contains($0.description) } == true)
    }
    let array = #expect(throws: PostgreSQLError.self) {
      try echo("uuid[]") { $0.add(arrayOf: .text) { $0.add("a") } }
    }
    #expect(array?.kind == .defect)
  }

  @Test("is never read as another type")
  func strictTypes() throws {
    let row = try echo("bigint") { $0.add(1) }
    for read in [
      { _ = try $0.smallint(at: 0) }, { _ = try $0.text(at: 0) }, { _ = try $0.bool(at: 0) },
      { _ = try $0.uuid(at: 0) }, { _ = try $0.bytea(at: 0) }, { _ = try $0.bigint(at: 1) },
      { _ = try $0.bigint(at: 2) }, { _ = try $0.bigint(at: -1) }, { _ = try $0.bigint(at: .max) },
    ] as [(Row) throws -> Void] {
      let error = #expect(throws: PostgreSQLError.self) { try read(row) }
      #expect(error?.kind == .defect)
    }
  }
}

@Suite("An array that goes to the server", .enabled(if: Tier.isAll, "runs in make test-all"))
struct ArrayTests {
  let connection: Connection

  init() throws {
    connection = try Cluster.common.get().connect()
  }

  /// The elements of an array as the server has it.
  private func sent<Element>(
    _ type: ColumnType, as read: (Row) throws -> Element, _ fill: (inout Parameters) -> Void
  ) throws -> [Element?] {
    var parameters = Parameters()
    parameters.add(arrayOf: type, fill)
    let rows = try connection.run(
      Query(
        "elements of \(type)[]",
        "SELECT element FROM unnest($1::\(type)[]) WITH ORDINALITY AS t (element, n) ORDER BY n"),
      parameters, within: .seconds(30))
    return try rows.map { row in row.isNull(at: 0) ? nil : try read(row) }
  }

  @Test(
    "is empty when it was", arguments: [ColumnType.bigint, .smallint, .bool, .uuid, .text, .bytea])
  func empty(_ type: ColumnType) throws {
    var parameters = Parameters()
    parameters.add(arrayOf: type) { _ in }
    let rows = try connection.run(
      Query("text of \(type)[]", "SELECT ($1::\(type)[])::text"), parameters, within: .seconds(30))
    #expect(try rows.first?.text(at: 0) == "{}")
  }

  @Test("has the elements it had, nulls among them")
  func elements() throws {
    let bigints = try sent(.bigint, as: { try $0.bigint(at: 0) }) { array in
      array.add(.min)
      array.addNull()
      array.add(.max)
    }
    #expect(bigints == [.min, nil, .max])
    let smallints = try sent(.smallint, as: { try $0.smallint(at: 0) }) { array in
      array.add(smallint: -5)
      array.addNull()
    }
    #expect(smallints == [-5, nil])
    let bools = try sent(.bool, as: { try $0.bool(at: 0) }) { array in
      array.add(true)
      array.add(false)
      array.addNull()
    }
    #expect(bools == [true, false, nil])
    let uuids = try sent(.uuid, as: { try $0.uuid(at: 0) }) { array in
      array.addNull()
      array.add(id)
    }
    #expect(uuids == [nil, id])
    let texts = try sent(.text, as: { try $0.text(at: 0) }) { array in
      for text in ["", "NULL", "a,b", "{\"é\\"] { array.add(text) }
      array.addNull()
    }
    #expect(texts == ["", "NULL", "a,b", "{\"é\\", nil])
    let blob = [UInt8](repeating: 7, count: 1 << 20)
    let byteas = try sent(.bytea, as: { try $0.bytea(at: 0) }) { array in
      array.add(bytea: Span())
      array.addNull()
      array.add(bytea: blob.span)
    }
    #expect(byteas == [[], nil, blob])
  }

  @Test("keeps its place among the other parameters")
  func places() throws {
    var parameters = Parameters()
    parameters.add("first")
    parameters.add(arrayOf: .bigint) { $0.add(1) }
    parameters.addNull()
    parameters.add(arrayOf: .uuid) { _ in }
    parameters.add(true)
    #expect(parameters.count == 5)
    let rows = try connection.run(
      Query(
        "five", "SELECT $1::text, ($2::bigint[])::text, $3::bytea, ($4::uuid[])::text, $5::bool"),
      parameters, within: .seconds(30))
    let row = try #require(rows.first)
    #expect(try row.text(at: 0) == "first")
    #expect(try row.text(at: 1) == "{1}")
    #expect(row.isNull(at: 2))
    #expect(try row.text(at: 3) == "{}")
    #expect(try row.bool(at: 4))
  }

  @Test("is refused here where an element is of another type, or an array")
  func misfits() throws {
    for fill in [{ $0.add("a") }, { $0.add(arrayOf: .text) { _ in } }]
      as [(inout Parameters) -> Void]
    {
      let error = #expect(throws: PostgreSQLError.self) {
        _ = try sent(.bigint, as: { try $0.bigint(at: 0) }, fill)
      }
      #expect(error?.kind == .defect)
      #expect(error?.state == nil)
    }
  }
}
