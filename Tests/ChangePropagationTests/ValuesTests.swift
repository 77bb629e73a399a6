import ChangePropagation
import Synchronization
import Testing

@Suite("A sequence of values", .timeLimit(.minutes(5))) struct ValuesTests {
  private let network = ChangeNetwork()

  @Test("of a changing value begins with the present one, and skips to the latest")
  func changing() async {
    let changes = Changes<Int>(on: network)
    let sum = changes.accumulate(startingFrom: 0, +)
    var values = sum.values.makeAsyncIterator()
    #expect(await values.next() == 0)
    for number in 1...10 { changes.announce(number) }
    network.settle()
    #expect(await values.next() == 55)
  }

  @Test("of a stream has every change, in order")
  func stream() async {
    let changes = Changes<Int>(on: network)
    let values = changes.outlet.values
    for number in 1...100 { changes.announce(number) }
    network.settle()
    var seen: [Int] = []
    for await value in values {
      seen.append(value)
      if value == 100 { break }
    }
    #expect(seen == Array(1...100))
  }

  @Test("keeps its source alive as long as it is read, and no longer")
  func lifetime() async {
    let changes = Changes<Int>(on: network)
    let witness = Witness()
    var derived: Outlet<Int>? = changes.map { number in witness.pass(number) }
    var values = derived?.values
    derived = nil
    changes.announce(1)
    network.settle()
    var iterator = values?.makeAsyncIterator()
    #expect(await iterator?.next() == 1)
    iterator = nil
    values = nil
    changes.announce(2)
    network.settle()
    #expect(witness.passed == 1)
  }
}

/// Counts what passes through a function.
private final class Witness: Sendable {
  private let count = Mutex(0)

  var passed: Int { count.withLock { $0 } }

  func pass(_ number: Int) -> Int {
    count.withLock { $0 += 1 }
    return number
  }
}
