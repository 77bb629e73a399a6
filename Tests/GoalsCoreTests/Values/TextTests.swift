import Testing

@testable import GoalsCore

/// "é" in two code points, one character to the eye.
private let accented = "e\u{301}"

@Suite("A title")
struct TitleTests {
  @Test(
    "has 1 to 200 code points, however many characters they make",
    arguments: [
      ("", false), ("x", true), (String(repeating: "x", count: 200), true),
      (String(repeating: "x", count: 201), false),
      (String(repeating: accented, count: 100), true),
      (String(repeating: accented, count: 100) + "x", false),
      (String(repeating: "👩‍👩‍👧", count: 40), true), (String(repeating: "👩‍👩‍👧", count: 41), false),
      (String(repeating: "\r\n", count: 100) + "x", true),
    ])
  func length(_ text: String, isTitle: Bool) {
    #expect((Title(text) != nil) == isTitle)
  }

  @Test(
    "is trimmed of everything that Unicode calls white space",
    arguments: [
      "\u{9}", "\u{A}", "\u{B}", "\u{C}", "\u{D}", "\u{20}", "\u{85}", "\u{A0}", "\u{1680}",
      "\u{2000}", "\u{200A}", "\u{2028}", "\u{2029}", "\u{202F}", "\u{205F}", "\u{3000}", "\r\n",
    ])
  func trimming(_ space: String) {
    #expect(Title(space + "a b" + space + space)?.text == "a b")
    #expect(Title(space) == nil)
  }

  @Test("keeps what only looks like white space", arguments: ["\u{200B}", "\u{2060}", "\u{FEFF}"])
  func invisible(_ text: String) {
    #expect(Title(text)?.text == text)
  }

  @Test("is trimmed by code points: an accent stays when the space that it sits on goes")
  func accents() {
    #expect(Title(" \u{301}a").map { Array($0.text.unicodeScalars) } == ["\u{301}", "a"])
    #expect(Title("a \u{301}").map { Array($0.text.unicodeScalars) } == ["a", " ", "\u{301}"])
  }

  @Test("counts what is left when it is trimmed")
  func lengthOfTrimmed() {
    let spaces = String(repeating: " ", count: 500)
    #expect(Title(spaces + String(repeating: "x", count: 200) + spaces) != nil)
    #expect(Title(spaces + String(repeating: "x", count: 201)) == nil)
  }

  @Test(
    "holds no control character",
    arguments: (0...0xFF).compactMap(Unicode.Scalar.init))
  func controls(_ scalar: Unicode.Scalar) {
    let isControl = scalar.properties.generalCategory == .control
    #expect((Title("a\(Character(scalar))b") == nil) == isControl)
  }

  @Test("may be of a part of a text")
  func part() {
    #expect(Title("[ Yoga ]".dropFirst().dropLast())?.text == "Yoga")
  }
}

@Suite("A unit")
struct UnitTests {
  @Test(
    "has 1 to 20 code points",
    arguments: [
      ("", false), ("km", true), (" ", true), (String(repeating: "x", count: 20), true),
      (String(repeating: "x", count: 21), false), (String(repeating: accented, count: 10), true),
      (String(repeating: accented, count: 10) + "x", false),
    ])
  func length(_ text: String, isUnit: Bool) {
    #expect((GoalUnit(text) != nil) == isUnit)
  }

  @Test("holds no control character", arguments: ["\u{0}", "k\tm", "k\u{7F}", "\u{9F}m"])
  func controls(_ text: String) {
    #expect(GoalUnit(text) == nil)
  }

  @Test("is kept as it is written")
  func asWritten() {
    #expect(GoalUnit(" km ")?.text == " km ")
  }
}

@Suite("A note")
struct NoteTests {
  @Test(
    "has at most 500 code points",
    arguments: [
      (0, true), (1, true), (500, true), (501, false), (10_000, false),
    ])
  func length(_ count: Int, isNote: Bool) {
    #expect((Note(String(repeating: "x", count: count)) != nil) == isNote)
    #expect((Note(String(repeating: "\u{1F600}", count: count)) != nil) == isNote)
  }

  @Test("may have lines, and characters of any kind")
  func lines() {
    #expect(Note("a\r\n\tb\u{0}")?.text.utf8.count == 6)
  }
}

@Suite("What a person wrote")
struct ExactTextTests {
  @Test("is equal only in the same code points, though Swift takes both for one")
  func exactness() {
    #expect("\u{E9}" == accented)
    #expect(Title.of("\u{E9}") != Title.of(accented))
    #expect(GoalUnit.of("\u{E9}") != GoalUnit.of(accented))
    #expect(Note.of("\u{E9}") != Note.of(accented))
    #expect(Set([Title.of("\u{E9}"), Title.of(accented), Title.of("\u{E9}")]).count == 2)
    #expect(Goal.some(1, "\u{E9}") != Goal.some(1, accented))
  }

  @Test("prints as it was written")
  func printing() {
    #expect(Title.of("Yoga").description == "Yoga")
  }
}
