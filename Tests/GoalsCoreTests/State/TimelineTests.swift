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
    memory.settings.map { [Int64($0.value), $0.from.seconds] }
  }

  @Test("begins with what is set at its beginning or before", arguments: [10, 9, -5, .min / 1000])
  func clamping(_ instant: Int64) {
    #expect(entries(memory(1, (2, 20), (7, instant))) == [[7, 10]])
    #expect(entries(memory(1, (7, instant))) == [[7, 10]])
  }

  @Test("is read again from its entries")
  func storing() {
    let memory = memory(1, (2, 20), (3, 30))
    #expect(Memory(memory.settings) == memory)
    #expect(Memory([]) == nil)
  }

  @Test("agrees with a list of everything that was ever set, read backwards")
  func againstList() {
    var dice = SeededDice()
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
      let instants = memory.settings.map(\.from)
      #expect(zip(instants, instants.dropFirst()).allSatisfy { $0 < $1 }, dice.note)
      let values = memory.settings.map(\.value)
      #expect(zip(values, values.dropFirst()).allSatisfy { $0 != $1 }, dice.note)
    }
  }
}
