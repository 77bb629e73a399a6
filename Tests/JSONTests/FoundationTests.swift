import Foundation
import JSON
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
      #expect(Tree(root) == tree, "JSON_SEED=\(seed)")
      let foreign = try JSONSerialization.jsonObject(with: Data(bytes), options: .fragmentsAllowed)
      #expect(agree(root, foreign), "JSON_SEED=\(seed)")
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
      #expect(Tree(try JSONDocument(parsing: json.bytes).root) == tree, "JSON_SEED=\(seed)")
      let foreign = try JSONSerialization.jsonObject(
        with: Data(json.bytes), options: .fragmentsAllowed)
      #expect(agree(root, foreign), "JSON_SEED=\(seed)")
      let back = try JSONSerialization.data(withJSONObject: foreign, options: .fragmentsAllowed)
      #expect(agree(try JSONDocument(parsing: Array(back)).root, foreign), "JSON_SEED=\(seed)")
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
      #expect(agree(own.root, foreign), "JSON_SEED=\(seed)")
    }
    #expect(taken != 0 || ProcessInfo.processInfo.environment["JSON_SEED"] != nil)
  }

  private func agree(_ own: JSONValue, _ foreign: Any) -> Bool {
    switch own.kind {
    case .null:
      return foreign is NSNull
    case .bool:
      return foreign as? Bool == own.bool
    case .number:
      guard let number = own.number, let foreign = foreign as? NSNumber,
        let expected = Double(number.text)
      else { return false }
      // Foundation goes by way of `Decimal`, and misses the nearest `Double` by a few steps.
      return abs(foreign.doubleValue - expected) <= 1e-14 * abs(expected)
    case .string:
      guard let string = own.string, let foreign = foreign as? String else { return false }
      return Array(String(string).utf8) == Array(foreign.utf8)
    case .array:
      guard let elements = own.elements, let foreign = foreign as? [Any] else { return false }
      return elements.count == foreign.count && zip(elements, foreign).allSatisfy(agree)
    case .object:
      guard let members = own.members, let foreign = foreign as? [String: Any] else { return false }
      return members.count == foreign.count
        && members.allSatisfy { name, value in
          foreign[String(name)].map { agree(value, $0) } ?? false
        }
    }
  }

  /// Whether no name comes twice, not even for `String`, which takes é and e with an accent for
  /// the same name.
  private func isUnambiguous(_ value: JSONValue) -> Bool {
    if let members = value.members {
      return Set(members.map { String($0.name) }).count == members.count
        && members.allSatisfy { isUnambiguous($0.value) }
    }
    return value.elements?.allSatisfy(isUnambiguous) ?? true
  }
}
