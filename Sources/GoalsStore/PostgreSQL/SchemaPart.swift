import Migrations
import PostgreSQL

/// A part of a schema: a table, a column, a constraint, an index, or what somebody hung on a table.
/// Two schemas are the same where their parts are.
struct SchemaPart: Hashable {
  /// That it belongs to.
  let table: String
  /// Its kind and its name.
  let name: String
  let definition: String

  /// What the migrations make: the lines of `Migrations/postgresql/schema.tsv`.
  static let made: [SchemaPart] = Migration.postgreSQLSchema.split(separator: "\n").compactMap {
    let columns = $0.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
    return columns.count == 3
      ? SchemaPart(table: columns[0], name: columns[1], definition: columns[2]) : nil
  }

  static let tables = Set(made.map(\.table)).sorted()

  /// The parts of the tables that the search path leads to, whatever else is in the database. The
  /// index of a constraint is told with the constraint. An index that is being made does not count
  /// yet.
  ///
  /// NB: a catalogue of PostgreSQL 18 has a constraint for each `NOT NULL`, too.
  private static let select = Query(
    "parts of the schema",
    """
    WITH named AS (SELECT name, to_regclass(name) AS id FROM unnest($1::text[]) AS n (name))
    SELECT n.name, 'table ' || n.name, concat_ws(', ',
      CASE c.relkind WHEN 'r' THEN 'a table' WHEN 'v' THEN 'a view' ELSE 'of another kind' END,
      CASE c.relpersistence WHEN 'p' THEN 'logged' ELSE 'not logged' END,
      CASE WHEN c.relrowsecurity THEN 'hiding rows' END)
    FROM named AS n JOIN pg_class AS c ON c.oid = n.id
    UNION ALL
    SELECT n.name, 'column ' || n.name || '.' || a.attname, concat_ws(' ',
      format_type(a.atttypid, a.atttypmod), CASE WHEN a.attnotnull THEN 'NOT NULL' END,
      'DEFAULT ' || pg_get_expr(d.adbin, d.adrelid), nullif(a.attidentity::text, ''),
      nullif(a.attgenerated::text, ''))
    FROM named AS n JOIN pg_attribute AS a ON a.attrelid = n.id AND a.attnum > 0
    LEFT JOIN pg_attrdef AS d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
    WHERE NOT a.attisdropped
    UNION ALL
    SELECT n.name, 'constraint ' || c.conname || ' of ' || c.conrelid::regclass,
      pg_get_constraintdef(c.oid, true)
    FROM named AS n JOIN pg_constraint AS c ON n.id IN (c.conrelid, c.confrelid)
    WHERE c.contype <> 'n'
    UNION ALL
    SELECT n.name, 'index ' || x.indexrelid::regclass, pg_get_indexdef(x.indexrelid, 0, true)
    FROM named AS n JOIN pg_index AS x ON x.indrelid = n.id
    WHERE x.indisvalid AND NOT EXISTS (
      SELECT FROM pg_constraint AS c
      WHERE c.conindid = x.indexrelid AND c.contype IN ('p', 'u', 'x'))
    UNION ALL
    SELECT n.name, 'trigger ' || t.tgname || ' of ' || n.name, pg_get_triggerdef(t.oid, true)
    FROM named AS n JOIN pg_trigger AS t ON t.tgrelid = n.id WHERE NOT t.tgisinternal
    UNION ALL
    SELECT n.name, 'rule ' || r.rulename || ' of ' || n.name, pg_get_ruledef(r.oid, true)
    FROM named AS n JOIN pg_rewrite AS r ON r.ev_class = n.id
    UNION ALL
    SELECT n.name, 'policy ' || p.polname || ' of ' || n.name, ''
    FROM named AS n JOIN pg_policy AS p ON p.polrelid = n.id
    UNION ALL
    SELECT n.name, 'table ' || i.inhrelid::regclass || ' that inherits from ' || n.name, ''
    FROM named AS n JOIN pg_inherits AS i ON i.inhparent = n.id
    """)

  static func found(by session: PostgreSQLSession) throws -> [SchemaPart] {
    try session.rows(select) { row in
      row.add(.text, of: tables) { $0.add($1) }
    }.map { row in
      SchemaPart(
        table: try row.text(at: 0), name: try row.text(at: 1), definition: try row.text(at: 2))
    }
  }

  /// How a schema differs from what the migrations make. Of a table that is lost, no part is told.
  ///
  /// - Returns: `lost` also has what is not as it was made: with it accounts can't be read, or
  ///   only by reading everything.
  static func faults(in found: [SchemaPart]) -> (lost: [String], added: [String]) {
    let present = Dictionary(found.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    var lost: [String] = []
    for part in made {
      if let other = present[part.name] {
        guard other.definition != part.definition else { continue }
        lost.append(
          "the schema's \(part.name) is not as the migrations made it: \(part.definition); "
            + "it is: \(other.definition)")
      } else if part.name == "table \(part.table)" {
        lost.append("the schema has lost the \(part.name)")
      } else if present["table \(part.table)"] != nil {
        lost.append("the schema has lost the \(part.name): \(part.definition)")
      }
    }
    let names = Set(made.map(\.name))
    let added = Set(present.keys).subtracting(names).sorted().map {
      "the schema has the \($0), which no migration made"
    }
    return (lost, added)
  }
}
