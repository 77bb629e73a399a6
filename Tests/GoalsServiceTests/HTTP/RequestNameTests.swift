import Testing

@testable import GoalsService

@Suite("The name of a request") struct RequestNameTests {
  /// Python's hash of the same bytes (PEP 456) with the key 0 0, which `PYTHONHASHSEED=0` sets:
  /// `hash((1).to_bytes(8, "little"))`, and that of 2.
  @Test("is its number under SipHash-1-3")
  func hash() {
    let ids = RequestIDs(key: (0, 0))
    #expect(ids.next() == "pebctg58jr7t1")
    #expect(ids.next() == "m0e5i83egok9a")
  }

  @Test("depends on both halves of the key, and on the number")
  func key() {
    let keys: [(UInt64, UInt64)] = [(0, 0), (1, 0), (0, 1)]
    var names: Set<String> = []
    for key in keys {
      let ids = RequestIDs(key: key)
      for _ in 0..<1000 { names.insert(ids.next()) }
    }
    #expect(names.count == 3000)
    #expect(names.allSatisfy { $0.count == 13 })
  }
}
