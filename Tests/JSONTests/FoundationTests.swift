import Foundation
import JSON
import TestSupport
import Testing

/// Foundation takes what RFC 8259 refuses (`[1,]`) and refuses what it takes (`[0e1]`, a repeated
/// name, deep nesting differ too), so only what both take is compared here.
@Suite("A random document")
struct FoundationTests {
  @Test("is what it was made from, for this reader and for Foundation")
  func made() throws {
    try forRandomSeeds(2000) { seed throws in
      var document = RandomDocument(seed: seed)
      let tree = document.tree()
      let bytes = Array(document.text(of: tree).utf8)
      let root = try JSONDocument(parsing: bytes).root
      #expect(Tree(root) == tree, "GOALS_TEST_SEED=\(seed)")
      let foreign = try JSONSerialization.jsonObject(with: Data(bytes), options: .fragmentsAllowed)
      #expect(agree(root, foreign), "GOALS_TEST_SEED=\(seed)")
    }
  }

  @Test("written here is read by Foundation, and the other way round")
  func written() throws {
    try forRandomSeeds(2000) { seed throws in
      var document = RandomDocument(seed: seed)
      let tree = document.tree()
      let root = try JSONDocument(parsing: Array(document.text(of: tree).utf8)).root
      var json = JSONWriter()
      json.value(root)
      #expect(Tree(try JSONDocument(parsing: json.bytes).root) == tree, "GOALS_TEST_SEED=\(seed)")
      let foreign = try JSONSerialization.jsonObject(
        with: Data(json.bytes), options: .fragmentsAllowed)
      #expect(agree(root, foreign), "GOALS_TEST_SEED=\(seed)")
      let back = try JSONSerialization.data(withJSONObject: foreign, options: .fragmentsAllowed)
      #expect(
        agree(try JSONDocument(parsing: Array(back)).root, foreign), "GOALS_TEST_SEED=\(seed)")
    }
  }

  @Test("with some bytes changed means the same to both, if both take it")
  func damaged() {
    var taken = 0
    forRandomSeeds(4000) { seed in
      var document = RandomDocument(seed: seed)
      let tree = document.tree()
      var bytes = Array(document.text(of: tree).utf8)
      let place = Int.random(in: 0..<bytes.count, using: &document.random)
      bytes[place] = Array(#"[]{}",:\0e-. a"#.utf8).randomElement(using: &document.random) ?? 0
      let foreign = try? JSONSerialization.jsonObject(
        with: Data(bytes), options: .fragmentsAllowed)
      guard let foreign, let own = try? JSONDocument(parsing: bytes), isUnambiguous(own.root)
      else { return }
      taken += 1
      #expect(agree(own.root, foreign), "GOALS_TEST_SEED=\(seed)")
    }
    #expect(taken != 0 || SeededDice.fixedSeed != nil)
  }
}
