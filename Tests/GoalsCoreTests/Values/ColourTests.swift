import Testing

@testable import GoalsCore

@Suite("A colour")
struct ColourTests {
  @Test(
    "has a name or six digits, and prints in lower case",
    arguments: [
      ("blue", "blue"), ("cyan", "cyan"), ("green", "green"), ("yellow", "yellow"),
      ("orange", "orange"), ("red", "red"), ("purple", "purple"), ("#000000", "#000000"),
      ("#ffffff", "#ffffff"), ("#0A1bC9", "#0a1bc9"), ("#ABCDEF", "#abcdef"),
    ])
  func reading(_ text: String, printed: String) {
    #expect(Colour(text)?.description == printed)
  }

  @Test("knows red from green from blue")
  func channels() {
    #expect(Colour("#0102ff") == .custom(red: 1, green: 2, blue: 255))
  }

  @Test(
    "is nothing else",
    arguments: [
      "", "pink", "Blue", "blue ", "#", "#fff", "#fffff", "#fffffff", "ffffff", "#fffff", "#gggggg",
      "#ff ff f", "##fffff", "#ffffé", "#\u{FF10}00000", "#+1+1+1", "#-00000", "0xffffff",
    ])
  func refusal(_ text: String) {
    #expect(Colour(text) == nil)
  }

  @Test("of a name is another than the same colour in digits")
  func names() {
    #expect(Colour("#ff0000") != .red)
  }

  @Test("is green where nothing is said")
  func standard() {
    #expect(Goal(id: 1, title: .of("Yoga")).colour == .green)
  }
}
