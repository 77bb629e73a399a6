import Testing

@testable import GoalsCore

@Suite("What a goal remembers of a field")
struct TimelineTests {
  private typealias Memory = Timeline<Int>

  /// The instant of so many seconds.
  private func at(_ seconds: Int64) -> Instant { Instant(seconds: seconds) }

  private func memory(_ first: Int, _ later: (Int, Int64)...) -> Memory {
    later.reduce(into: Memory(first, from: at(10))) { $0.set($1.0, from: at($1.1)) }
  }

  private func entries(_ memory: Memory) -> [[Int64]] {
    memory.entries.map { [Int64($0.value), $0.from.seconds] }
  }

  @Test("begins with the value it was made with, which holds before that too")
  func beginning() {
    let memory = memory(1)
    #expect(memory.value(at: at(-1000)) == 1)
    #expect(memory.value(at: at(10)) == 1)
    #expect(memory.current == 1)
    #expect(memory.currentSince == at(10))
  }

  @Test("holds each value from its instant until the next")
  func values() {
    let memory = memory(1, (2, 20), (3, 30))
    #expect(entries(memory) == [[1, 10], [2, 20], [3, 30]])
    let seen = [9, 10, 19, 20, 29, 30, 99].map { memory.value(at: at($0)) }
    #expect(seen == [1, 1, 1, 2, 2, 3, 3])
    #expect(memory.value(at: Instant(milliseconds: 19_999)) == 1)
    #expect(memory.current == 3)
    #expect(memory.currentSince == at(30))
  }

  @Test(
    "is overridden by what is set last, from its instant on",
    arguments: [
      (25, [[1, 10], [2, 20], [7, 25]]), (30, [[1, 10], [2, 20], [7, 30]]),
      (20, [[1, 10], [7, 20]]), (15, [[1, 10], [7, 15]]), (11, [[1, 10], [7, 11]]),
      (31, [[1, 10], [2, 20], [3, 30], [7, 31]]),
    ] as [(Int64, [[Int64]])])
  func override(_ instant: Int64, expected: [[Int64]]) {
    let memory = memory(1, (2, 20), (3, 30), (7, instant))
    #expect(entries(memory) == expected)
    #expect(memory.current == 7)
    #expect(memory.value(at: at(instant)) == 7)
    #expect(memory.value(at: at(9999)) == 7)
  }

  @Test("begins with what is set at its beginning or before", arguments: [10, 9, -5, .min / 1000])
  func clamping(_ instant: Int64) {
    #expect(entries(memory(1, (2, 20), (7, instant))) == [[7, 10]])
    #expect(entries(memory(1, (7, instant))) == [[7, 10]])
  }

  @Test("has no seam between equal values")
  func seams() {
    #expect(entries(memory(1, (1, 20))) == [[1, 10]])
    #expect(entries(memory(1, (2, 20), (2, 30))) == [[1, 10], [2, 20]])
    #expect(entries(memory(1, (2, 20), (3, 30), (2, 25))) == [[1, 10], [2, 20]])
    #expect(entries(memory(1, (2, 20), (1, 20))) == [[1, 10]])
    #expect(entries(memory(1, (2, 20), (2, 15))) == [[1, 10], [2, 15]])
  }

  @Test("is read again from its entries")
  func storing() {
    let memory = memory(1, (2, 20), (3, 30))
    #expect(Memory(memory.entries) == memory)
    #expect(Memory([]) == nil)
  }

  @Test("agrees with a list of everything that was ever set, read backwards")
  func againstList() {
    var dice = TimeDice()
    for _ in 0..<500 {
      var memory = Memory(0, from: at(10))
      var settings: [(value: Int, from: Int64)] = [(0, .min)]
      for _ in 0..<Int.random(in: 0...8, using: &dice) {
        let value = Int.random(in: 0...3, using: &dice)
        let instant = Int64.random(in: 5...20, using: &dice)
        memory.set(value, from: at(instant))
        settings.append((value, instant <= 10 ? .min : instant))
      }
      for instant in Int64(0)...25 {
        let expected = settings.last { $0.from <= instant }?.value
        #expect(memory.value(at: at(instant)) == expected, dice.note)
      }
      #expect(memory.current == settings.last?.value, dice.note)
      let instants = memory.entries.map(\.from)
      #expect(zip(instants, instants.dropFirst()).allSatisfy { $0 < $1 }, dice.note)
      let values = memory.entries.map(\.value)
      #expect(zip(values, values.dropFirst()).allSatisfy { $0 != $1 }, dice.note)
    }
  }
}
