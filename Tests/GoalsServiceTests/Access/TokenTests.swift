import Testing

@testable import GoalsService

@Suite("A token") struct TokenTests {
  private let text = "goals_000000000000000100000000000000020000000000000003fedcba9876543210"

  @Test("is a known prefix and 256 random bits")
  func form() {
    var words: [UInt64] = [1, 2, 3, 0xFEDC_BA98_7654_3210]
    let token = Token { words.removeFirst() }
    #expect(token.text == text)
    #expect(words.isEmpty)
    #expect(Token(text)?.text == text)
  }

  @Test("is kept as the SHA-256 of its text")
  func secret() throws {
    let secret = try #require(Token(text)).secret
    let digits = secret.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    #expect(digits == "ec69012adb487066080cc72d32a56a88a9d0317cf4bfa8347239af5dcb0c1557")
  }

  private static let others = [
    "", "goals_", "goals", String(repeating: "0", count: 70),
    "goals_" + String(repeating: "0", count: 63), "goals_" + String(repeating: "0", count: 65),
    "Goals_" + String(repeating: "0", count: 64), "goals-" + String(repeating: "0", count: 64),
    " goals_" + String(repeating: "0", count: 63),
  ]

  @Test("looks like nothing else", arguments: others)
  func refuses(_ text: String) {
    #expect(Token(text) == nil)
  }
}

@Suite("The code of a link") struct LinkCodeTests {
  @Test("is 128 random bits, and kept as the SHA-256 of its text")
  func form() {
    var words: [UInt64] = [1, 0xFEDC_BA98_7654_3210]
    let code = LinkCode { words.removeFirst() }
    #expect(code.text == "0000000000000001fedcba9876543210")
    #expect(words.isEmpty)
    let digits = code.secret.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    #expect(digits == "54e308eaa899f438d19ee58679f253cd0fc1e9fe4b60089b04f3c74655b42aa8")
    #expect(LinkCode(code.text).secret == code.secret)
  }
}
