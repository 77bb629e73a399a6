/// A step from one version of the database's schema to the next: a file `NNNN-name.sql` of this
/// folder, which is part of the program. Steps only go forward, and one that was released is never
/// changed: databases remember its checksum.
package struct Migration: Equatable, Sendable {
  /// The version of the schema that it leads to, from 1 on.
  package let number: Int64
  package let name: String
  /// It runs inside a transaction, so it may not begin or end one.
  package let sql: String

  /// The oldest version of the schema whose programs may use this one: those that know nothing of
  /// the step. Its first line says so, `-- accepts N`, where it only adds what they need not know;
  /// else it is its own. Heeded on PostgreSQL alone, where many servers are replaced one by one.
  package var accepts: Int64 {
    let mark = "-- accepts "
    guard sql.hasPrefix(mark) else { return number }
    return Int64(sql.dropFirst(mark.count).prefix { !$0.isNewline }) ?? number
  }

  package init(number: Int64, name: String, sql: String) {
    self.number = number
    self.name = name
    self.sql = sql
  }

  /// All there are, in order.
  package static let all: [Migration] = EmbeddedFile.all.compactMap {
    Migration(fileName: $0.name, sql: $0.text)
  }
  .sorted { $0.number < $1.number }

  /// Those of a database on PostgreSQL, in order: files `postgresql/postgresql-NNNN-name.sql`.
  package static let postgreSQL: [Migration] = EmbeddedFile.all.compactMap { file in
    let prefix = "postgresql-"
    guard file.name.hasPrefix(prefix) else { return nil }
    return Migration(fileName: String(file.name.dropFirst(prefix.count)), sql: file.text)
  }
  .sorted { $0.number < $1.number }

  /// The statement that records a round of edits on PostgreSQL.
  package static let postgreSQLRound = EmbeddedFile.`round.sql`.text

  /// What distributes the tables of accounts, where the extension Citus is there.
  package static let citus = EmbeddedFile.`citus.sql`.text

  /// What the migrations of a database on PostgreSQL make: a part of the schema a line, with the
  /// table that it belongs to, its name, and its definition.
  package static let postgreSQLSchema = EmbeddedFile.`schema.tsv`.text

  /// Nil for any file but `NNNN-name.sql`.
  package init?(fileName: String, sql: String) {
    let digits = fileName.prefix(4)
    guard fileName.hasSuffix(".sql"), digits.allSatisfy({ ("0"..."9").contains($0) }),
      let number = Int64(digits), number > 0
    else { return nil }
    let rest = fileName.dropFirst(4).dropLast(4)
    guard rest.first == "-", rest.count > 1 else { return nil }
    self.init(number: number, name: String(rest.dropFirst()), sql: sql)
  }
}
