import GoalsCore
import PostgreSQL

extension PostgreSQLError: BackingError {
  var inStore: StoreError {
    switch kind {
    case .unknown: .unknown(description)
    case .unavailable, .refused: .inputOutput(description)
    case .retryable: .busy(description)
    case .constraint, .defect: .other(description)
    }
  }
}

extension Parameters {
  mutating func add<Subject>(_ id: ID<Subject>) { add(UUIDBits(high: id.high, low: id.low)) }
  mutating func add(_ version: Version) { add(Int64(version.number)) }
  mutating func add(_ chain: Chain) { chain.withBytes { add(bytea: $0) } }
  /// Milliseconds since 1970.
  mutating func add(_ instant: Instant) { add(instant.milliseconds) }

  mutating func add<Value>(_ value: Value?, _ add: (inout Parameters, Value) -> Void) {
    if let value { add(&self, value) } else { addNull() }
  }

  /// A column of rows, as an array.
  mutating func add<Row>(
    _ type: ColumnType, of rows: [Row], _ add: (inout Parameters, Row) -> Void
  ) {
    self.add(arrayOf: type) { array in
      for row in rows { add(&array, row) }
    }
  }

  /// The parameters that `fill` adds.
  init(_ fill: (inout Parameters) -> Void) {
    self.init()
    fill(&self)
  }
}

extension Row {
  func id<Subject>(at column: Int) throws -> ID<Subject> {
    let bits = try uuid(at: column)
    return ID(high: bits.high, low: bits.low)
  }

  func version(at column: Int) throws -> Version { Version(Int(try bigint(at: column))) }

  func chain(at column: Int) throws -> Chain {
    let chain = try visit(at: column, .bytea) { $0.withUnsafeBytes { Chain(bytes: $0) } }
    guard let chain else { throw SnapshotParts.unreadable("a link of the chain") }
    return chain
  }

  func instant(at column: Int) throws -> Instant {
    Instant(milliseconds: try bigint(at: column))
  }

  func seal(at column: Int) throws -> BookSeal {
    guard let seal = BookSeal(try bytea(at: column)) else {
      throw SnapshotParts.unreadable("the seal of an account")
    }
    return seal
  }

  /// Zone, week start and day start, from three columns; nil where one of them is none.
  func calendar(at column: Int) throws -> CalendarSettings? {
    CalendarSettings(
      zone: try text(at: column), isoWeekStart: Int64(try smallint(at: column + 1)),
      dayStart: Int64(try smallint(at: column + 2)))
  }

  /// Nil for null.
  func optional<Value>(at column: Int, _ read: (Int) throws -> Value) throws -> Value? {
    isNull(at: column) ? nil : try read(column)
  }
}

extension LogRow {
  /// From the columns version, id, format, payload, inverse, chain.
  init(_ row: Row) throws {
    entry = LogEntry(
      version: try row.version(at: 0), id: try row.id(at: 1), format: Int(try row.smallint(at: 2)),
      payload: try row.utf8(at: 3), chain: try row.chain(at: 5))
    inverse = try row.optional(at: 4, row.utf8)
    bytes = nil
  }

  static let columns = "version, id, format, payload, inverse, chain"

  /// The columns of a table that has another name in a query.
  static func named(_ table: String) -> String {
    columns.split(separator: ", ").map { "\(table).\($0)" }.joined(separator: ", ")
  }
}

extension UndoRow {
  init(_ row: Row) throws {
    root = try row.version(at: 0)
    latest = try row.version(at: 1)
    isUndone = try row.bool(at: 2)
  }
}

extension AccountRecord {
  /// From the columns id, name, created_at, time_zone, week_start, day_start, zone_chosen.
  init(_ row: Row) throws {
    let id: Account.ID = try row.id(at: 0)
    guard let calendar = try row.calendar(at: 3) else {
      throw SnapshotParts.unreadable("account \(id): its calendar")
    }
    self.init(
      id: id, name: try row.text(at: 1), createdAt: try row.instant(at: 2),
      initialCalendar: calendar, isZoneChosen: try row.bool(at: 6))
  }

  static let columns = "id, name, created_at, time_zone, week_start, day_start, zone_chosen"
}

extension TokenRecord {
  /// From the columns id, account, name, scope, goal, secret, created_at, last_used_at, expires_at,
  /// revoked_at, made_by.
  init(_ row: Row) throws {
    guard let scope = Scope(rawValue: try row.text(at: 3)) else {
      throw SnapshotParts.unreadable("a token")
    }
    self.init(
      id: try row.id(at: 0), account: try row.id(at: 1), name: try row.text(at: 2), scope: scope,
      goal: try row.optional(at: 4, row.id), secret: try row.bytea(at: 5),
      createdAt: try row.instant(at: 6), lastUsedAt: try row.optional(at: 7, row.instant),
      expiresAt: try row.optional(at: 8, row.instant),
      revokedAt: try row.optional(at: 9, row.instant),
      madeBy: try row.optional(at: 10, row.id))
  }

  static let columns = """
    t.id, t.account, t.name, t.scope, t.goal, t.secret, t.created_at, t.last_used_at, t.expires_at, \
    t.revoked_at, t.made_by
    """
}

extension LinkRecord {
  /// From the columns secret, account, name, scope, goal, token_expires_at, made_by, ends_at.
  init(_ row: Row) throws {
    guard let scope = TokenRecord.Scope(rawValue: try row.text(at: 3)) else {
      throw SnapshotParts.unreadable("a link")
    }
    self.init(
      secret: try row.bytea(at: 0), account: try row.id(at: 1), name: try row.text(at: 2),
      scope: scope, goal: try row.optional(at: 4, row.id),
      tokenExpiresAt: try row.optional(at: 5, row.instant),
      madeBy: try row.optional(at: 6, row.id), endsAt: try row.instant(at: 7))
  }

  static let columns = "secret, account, name, scope, goal, token_expires_at, made_by, ends_at"
}
