import ChangePropagation
import Testing

@Suite("A combined value")
struct CombinedTests {
  let network = Network()
  let numbers: Changes<Int>
  let sum: Changing<Int>
  let journal = Journal<String>()

  init() {
    numbers = Changes(on: network)
    sum = numbers.accumulate(startingFrom: 0) { $0 + $1 }
  }

  @Test("follows both of its sources")
  func both() {
    let words = Changes<String>(on: network)
    let word = words.accumulate(startingFrom: "a") { change, _ in change }
    let pair = sum.combine(word) { "\($0)\($1)" }
    #expect(pair.current == "0a")
    pair.write(to: journal)
    network.sync {
      numbers.announce(1)
      words.announce("b")
      numbers.announce(1)
    }
    #expect(pair.current == "2b")
    #expect(journal.entries == ["0a", "1a", "1b", "2b"])
  }

  @Test("is told once a turn, and never shows a value that is about to be replaced")
  func noGlitch() {
    let doubled = sum.map { $0 * 2 }
    let tripled = sum.map { $0 * 3 }
    let pair = doubled.combine(tripled) { "\($0)/\($1)" }
    pair.write(to: journal)
    network.sync {
      numbers.announce(1)
      numbers.announce(1)
    }
    #expect(journal.entries == ["0/0", "2/3", "4/6"])
  }

  @Test("waits for combined values before it, however deep")
  func deep() {
    let first = sum.combine(sum.map { -$0 }) { $0 + $1 }
    let second = first.combine(sum) { "\($0):\($1)" }
    let third = sum.combine(second.map { "<\($0)>" }) { "\($0)\($1)" }
    third.write(to: journal)
    let fourth = second.combine(first) { "\($0)|\($1)" }
    fourth.write(to: journal)
    network.sync { numbers.announce(1) }
    #expect(journal.entries == ["0<0:0>", "0:0|0", "1<0:1>", "0:1|0"])
  }

  @Test("waits for the combined values before it, whichever source was laid first")
  func laidFirst() {
    let plain = sum.map { $0 }
    let first = sum.combine(sum) { $0 + $1 }
    let second = plain.combine(first) { "\($0):\($1)" }
    let merged = plain.merge(first).accumulate(startingFrom: 0) { change, _ in change }
    let third = plain.combine(merged) { "\($0)>\($1)" }
    second.write(to: journal)
    third.write(to: journal)
    network.sync { numbers.announce(1) }
    #expect(journal.entries == ["0:0", "0>0", "1:2", "1>2"])
  }

  @Test("sees only the last value that a source takes in a turn")
  func lastOfATurn() {
    let twice = numbers.merge(numbers).accumulate(startingFrom: 0) { $0 + $1 }
    let pair = twice.combine(sum) { "\($0)/\($1)" }
    pair.write(to: journal)
    network.sync { numbers.announce(1) }
    #expect(journal.entries == ["0/0", "2/1"])
  }

  @Test("is told after the observers of its sources, and before the next turn")
  func order() {
    let pair = sum.combine(sum) { "\($0 + $1)" }
    pair.write(to: journal)
    sum.observe(withContext: journal) { [numbers] journal, value in
      journal.write("sum \(value)")
      if value == 1 { numbers.announce(10) }
    }
    network.sync { numbers.announce(1) }
    #expect(journal.entries == ["0", "sum 0", "sum 1", "2", "sum 11", "22"])
  }

  @Test("dropped in the midst of a turn is silent for the rest of it")
  func dropped() {
    let pair = Box<Changing<String>?>(sum.combine(sum) { "\($0)\($1)" })
    pair.value?.write(to: journal)
    sum.outlet.observe(withContext: journal) { _, _ in pair.put(nil) }
    network.sync { numbers.announce(1) }
    #expect(journal.entries == ["00"])
  }
}
