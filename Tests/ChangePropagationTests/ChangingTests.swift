import ChangePropagation
import TestSupport
import Testing

@Suite("A changing value")
struct ChangingTests {
  let network = ChangeNetwork()
  let numbers: Changes<Int>
  let sum: Changing<Int>
  let journal = Journal<Int>()

  init() {
    numbers = Changes(on: network)
    sum = numbers.accumulate(startingFrom: 100) { $0 + $1 }
  }

  @Test("is altered in place with accumulate(into:)")
  func inPlace() {
    var large: [Int] = []
    large.reserveCapacity(1_000)
    let all = numbers.accumulate(into: consume large) { soFar, change in soFar.append(change) }
    let address = Locked<Set<Int>>([])
    all.observe(withContext: address) { address, soFar in
      soFar.withUnsafeBufferPointer { buffer in
        address.change { $0.formUnion([Int(bitPattern: buffer.baseAddress)]) }
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
