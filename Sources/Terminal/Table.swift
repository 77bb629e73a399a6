/// Rows for people: columns under their headings, each as wide as its longest text, up to a width
/// that leaves room for the others.
package struct Table {
  /// The most cells that a column takes of a terminal's line.
  private static let widest = 40

  private var rows: [[String]]

  package init(_ headings: String...) { rows = [headings] }

  package mutating func add(_ cells: String...) {
    rows.append(cells.map { $0.shown(within: Self.widest) })
  }

  package var text: String {
    let widths = rows[0].indices.map { column in rows.map { $0[column].cells }.max() ?? 0 }
    return rows.map { row in
      let padded = zip(row, widths).dropLast().map { cell, width in cell.padded(to: width + 2) }
      return padded.joined() + (row.last ?? "") + "\n"
    }.joined()
  }
}
