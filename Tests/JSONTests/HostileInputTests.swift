import JSON
import TestSupport
import Testing

@Suite("A document that was cut or damaged")
struct HostileInputTests {
  static let valid: [String] = [
    #"{"id":"01930b2a-7c1d-7a3e-9f00-5b1c2d3e4f50","at":"2026-11-20T23:50:00.000Z","by":-3}"#,
    #"[null,true,false,0,-0.5,1e3,2E+10,3.25e-7,"a\"\\\/\b\f\n\r\t\u00e9\ud83d\ude00é€😀"]"#,
    " {\r\n\t\"a\" : [ { } , [ ] , [ [ ] ] , { \"b\" : { \"c\" : 0 } } ] , \"\" : \"\" }",
  ]

  @Test("is refused wherever it is cut, at the place of the cut", arguments: valid)
  func cut(text: String) {
    let bytes = Array(text.utf8)
    #expect(refusal(bytes) == nil)
    for length in 0..<bytes.count {
      let error = refusal(Array(bytes[..<length]))
      #expect(error?.reason == .endOfInput, "cut to \(length)")
      #expect(error?.offset == length, "cut to \(length)")
    }
  }

  @Test(
    "is read or refused, whatever one byte becomes, and reads back what it is read as",
    arguments: valid)
  func damaged(text: String) {
    let bytes = Array(text.utf8)
    var taken = 0
    for place in bytes.indices {
      for byte in UInt8.min...UInt8.max {
        var damaged = bytes
        damaged[place] = byte
        taken += examine(damaged) ? 1 : 0
      }
      var shorter = bytes
      shorter.remove(at: place)
      taken += examine(shorter) ? 1 : 0
      var longer = bytes
      longer.insert(bytes[place], at: place)
      taken += examine(longer) ? 1 : 0
    }
    #expect(taken > 100)
  }

  @Test("at many places is read or refused too")
  func damagedAtRandom() {
    forRandomSeeds(3000) { seed in
      var document = RandomDocument(seed: seed)
      let tree = document.tree()
      var bytes = Array(document.text(of: tree).utf8)
      for _ in 0..<Int.random(in: 1...4, using: &document.random) where !bytes.isEmpty {
        let place = Int.random(in: 0..<bytes.count, using: &document.random)
        let token = Array(#"[]{}",:\u0e-.0 "#.utf8).randomElement(using: &document.random) ?? 0
        switch Int.random(in: 0..<4, using: &document.random) {
        case 0: bytes[place] = .random(in: 0...255, using: &document.random)
        case 1: bytes[place] = token
        case 2: bytes.insert(token, at: place)
        default: bytes.remove(at: place)
        }
      }
      _ = examine(bytes, "GOALS_TEST_SEED=\(seed)")
    }
  }

  @Test("made of any bytes is read or refused")
  func noise() {
    forRandomSeeds(3000) { seed in
      var random = SeededDice(seed: seed)
      let tokens = Array(#"[[[]]]{{}}"",,::\\ud8001e-.0 tfn"#.utf8)
      let bytes = (0..<Int.random(in: 0...40, using: &random)).map { _ in
        random.chance(1, in: 10)
          ? UInt8.random(in: 0...255, using: &random)
          : tokens.randomElement(using: &random) ?? 0
      }
      _ = examine(bytes, "GOALS_TEST_SEED=\(seed)")
    }
  }

  /// Whether `bytes` are a document. One that is must read back the same after it is written; the
  /// fault of one that is not must lie in it.
  private func examine(_ bytes: [UInt8], _ comment: Comment = "") -> Bool {
    do throws(JSONError) {
      let root = try JSONDocument(parsing: bytes).root
      let tree = Tree(root)
      var json = JSONWriter()
      json.value(root)
      #expect(Tree(try JSONDocument(parsing: json.bytes).root) == tree, comment)
      return true
    } catch {
      #expect((0...bytes.count).contains(error.offset), comment)
      return false
    }
  }
}
