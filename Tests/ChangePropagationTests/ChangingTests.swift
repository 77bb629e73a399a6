import ChangePropagation
import Testing

@Suite("A changing value")
struct ChangingTests {
  let network = Network()
  let numbers: Changes<Int>
  let sum: Changing<Int>
  let journal = Journal<Int>()

  init() {
    numbers = Changes(on: network)
    sum = numbers.accumulate(startingFrom: 100) { $0 + $1 }
  }

  @Test("starts as it was told to, and takes up each change in order")
  func accumulates() {
    let history = numbers.accumulate(startingFrom: [0]) { change, soFar in soFar + [change] }
    #expect(history.current == [0])
    network.sync { [1, 2, 3].forEach(numbers.announce) }
    #expect(history.current == [0, 1, 2, 3])
    #expect(sum.current == 106)
  }

  @Test("tells an observer its current value at once, and then each value to come")
  func observing() {
    numbers.announce(1)
    sum.write(to: journal)
    #expect(journal.entries == [101])
    numbers.announce(1)
    numbers.announce(0)
    network.settle()
    #expect(journal.entries == [101, 102, 102])
  }

  @Test("as a stream is the values to come")
  func outlet() {
    sum.outlet.write(to: journal)
    let large = sum.filter { $0 > 101 }
    large.write(to: journal)
    let count = sum.accumulate(startingFrom: 0) { _, count in count + 1 }
    network.sync { [1, 2].forEach(numbers.announce) }
    #expect(journal.entries == [101, 103, 103])
    #expect(count.current == 2)
  }

  @Test("is altered in place with accumulate(into:)")
  func inPlace() {
    var large: [Int] = []
    large.reserveCapacity(1_000)
    let all = numbers.accumulate(into: consume large) { soFar, change in soFar.append(change) }
    let address = Box<Set<Int>>([])
    all.observe(withContext: address) { address, soFar in
      soFar.withUnsafeBufferPointer { buffer in
        address.put(address.value.union([Int(bitPattern: buffer.baseAddress)]))
      }
    }
    network.sync { (0..<1_000).forEach(numbers.announce) }
    #expect(all.current == Array(0..<1_000))
    #expect(address.value.count == 1)
  }

  @Test("can be read on a queue that never comes to it")
  func readingWithoutTheQueue() {
    network.queue.suspend()
    numbers.announce(1)
    #expect(sum.current == 100)
    network.queue.resume()
    network.settle()
    #expect(sum.current == 101)
  }

  @Test("changes for those it comes to later only when it comes to them")
  func midTurn() {
    let early = Changes<Int>(on: network)
    let later = Box<Changing<Int>?>(nil)
    early.observe(withContext: journal) { journal, _ in journal.write(later.value?.current ?? -1) }
    later.put(early.accumulate(startingFrom: 0) { $0 + $1 })
    early.observe(withContext: journal) { journal, _ in journal.write(later.value?.current ?? -1) }
    network.sync { early.announce(5) }
    #expect(journal.entries == [0, 5])
  }

  @Test("lives on in its outlet and what is derived")
  func kept() {
    var sum: Changing<Int>? = numbers.accumulate(startingFrom: 0) { $0 + $1 }
    weak let trace = sum
    let doubled = sum?.map { $0 * 2 }
    let even = sum?.filter { $0.isMultiple(of: 2) }
    even?.write(to: journal)
    sum = nil
    #expect(trace == nil)
    network.sync { [1, 1].forEach(numbers.announce) }
    #expect(doubled?.current == 4)
    #expect(journal.entries == [2])
  }

  @Test("gives a changing value with map, that has its value from the start")
  func map() {
    let text = sum.map { "\($0)" }
    #expect(text.current == "100")
    network.sync { numbers.announce(1) }
    #expect(text.current == "101")
  }

  @Test("computes a mapped value once for each value")
  func mapOnce() {
    let mapped = sum.map { [journal] value in
      journal.write(value)
      return value
    }
    let first = Journal<Int>()
    mapped.write(to: first)
    mapped.write(to: first)
    network.sync { numbers.announce(1) }
    #expect(journal.entries == [100, 101])
    #expect(first.entries == [100, 100, 101, 101])
  }
}
