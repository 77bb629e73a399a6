import Testing

@testable import GoalsCore

@Suite("An array whose copies share")
struct PersistentArrayTests {
  private func array(_ elements: some Sequence<Int>) -> PersistentArray<Int> {
    elements.reduce(into: PersistentArray()) { $0.append($1) }
  }

  @Test("counts and finds its elements", arguments: [0, 1, 7, 8, 9, 15, 16, 17, 1000])
  func elements(_ count: Int) {
    let array = array(0..<count)
    #expect(array.count == count)
    #expect(array.indices == 0..<count)
    #expect(array.indices.map { array[$0] } == Array(0..<count))
  }

  @Test("changes one element and leaves its copy alone", arguments: [0, 7, 8, 99])
  func sharing(_ place: Int) {
    let before = array(0..<100)
    var after = before
    after.update(place) { $0 = -1 }
    after.append(100)
    #expect(before[place] == place)
    #expect(before.count == 100)
    #expect(after[place] == -1)
    #expect(after.count == 101)
    #expect(before != after)
    // Nobody else has the copy's element now: it is changed where it is, and still nobody's but its
    // own.
    let between = after
    after.update(place) { $0 -= 1 }
    after.update(place) { $0 -= 1 }
    #expect(after[place] == -3)
    #expect(between[place] == -1)
    #expect(before[place] == place)
  }

  @Test("equals another of the same elements, however they came there")
  func equality() {
    var array = array(0..<70)
    array.update(65) { $0 = -1 }
    #expect(array != self.array(0..<70))
    array.update(65) { $0 = 65 }
    #expect(array == self.array(0..<70))
    #expect(array.hashValue == self.array(0..<70).hashValue)
    #expect(array != self.array(0..<71))
  }
}
