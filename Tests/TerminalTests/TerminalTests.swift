import Testing

@testable import Terminal

@Suite struct `A text in a terminal` {
  @Test(arguments: [
    ("Yoga", 4), ("", 0), ("日本語", 6), ("한국어", 6), ("e\u{301}te\u{301}", 3), ("ｱ", 1), ("Ａ", 2),
    ("🧘", 2), ("🧘🏽‍♀️", 2), ("👩‍👩‍👧", 2), ("🇩🇪", 2), ("❤️", 2), ("❤", 1), ("1️⃣", 2), ("⭐", 2), ("✅", 2),
    ("☕", 2), ("⏰", 2), ("→", 1), ("\u{200B}", 0), ("🌡", 1), ("नमस्ते", 4),
  ])
  func `takes so many cells`(text: String, cells: Int) {
    #expect(text.cells == cells)
  }

  @Test(arguments: [
    ("Yoga", 4, "Yoga"), ("Yoga", 3, "Yo…"), ("Yoga", 1, "…"), ("日本語", 5, "日本…"),
    ("日本語", 4, "日…"), ("🇩🇪🇫🇷🇮🇹", 5, "🇩🇪🇫🇷…"), ("a\u{1B}[2J", 9, "a\u{FFFD}[2J"),
    ("a\nb\tc", 9, "a b c"),
  ])
  func `is cut where it is wider`(text: String, width: Int, shown: String) {
    #expect(text.shown(within: width) == shown)
    #expect(shown.cells <= max(width, 1))
  }

  @Test func `stands in a column of a table`() {
    var table = Table("name", "id")
    table.add("🇩🇪 日本", "1")
    table.add("Zoë", "2")
    #expect(table.text == "name     id\n🇩🇪 日本  1\nZoë      2\n")
  }
}

@Suite struct `A word that is no command` {
  private static let names = ["list", "history", "bump", "undo"]

  @Test(arguments: [
    ("lst", "list"), ("bmup", "bump"), ("his", "history"), ("unod", "undo"), ("lists", "list"),
  ])
  func `leads to the nearest one`(word: String, command: String) {
    #expect {
      try UnknownCommand.refuse(word, among: Self.names)
    } throws: { error in
      let failure = error as? CommandFailure
      return failure?.code == 64
        && failure?.sentence
          == "\(word) is no command: did you mean \(command)? `goals --help` shows them all."
    }
  }

  @Test func `is not guessed where nothing is near`() {
    #expect {
      try UnknownCommand.refuse("frobnicate", among: Self.names)
    } throws: {
      ($0 as? CommandFailure)?.sentence
        == "frobnicate is no command. `goals --help` shows them all."
    }
  }

  @Test(arguments: ["list", "--help", "help", nil])
  func `is none of these`(word: String?) throws {
    try UnknownCommand.refuse(word, among: Self.names)
  }
}
