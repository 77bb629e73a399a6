/// A word where a command should be.
package enum UnknownCommand {
  /// Throws unless it is a command, or an option: then with the command that was probably meant.
  package static func refuse(
    _ word: String?, among names: [String]
  ) throws(CommandFailure) {
    guard let word, !word.hasPrefix("-"), !names.contains(word), word != "help" else { return }
    let near = names.map { (name: $0, slips: $0.hasPrefix(word) ? 0 : slips(from: word, to: $0)) }
      .filter { $0.slips <= 2 && $0.slips < word.count }.min { $0.slips < $1.slips }
    let guess = near.map { ": did you mean \($0.name)?" } ?? "."
    throw CommandFailure(
      "\(word.shown(within: 40)) is no command\(guess) `goals --help` shows them all.", code: 64)
  }

  /// How many letters are too many, missing or others (the distance of Levenshtein).
  private static func slips(from word: String, to name: String) -> Int {
    var row = Array(0...name.count)
    for (line, letter) in word.enumerated() {
      var diagonal = row[0]
      row[0] = line + 1
      for (column, other) in name.enumerated() {
        let best = min(
          row[column] + 1, row[column + 1] + 1, diagonal + (letter == other ? 0 : 1))
        diagonal = row[column + 1]
        row[column + 1] = best
      }
    }
    return row[name.count]
  }
}
