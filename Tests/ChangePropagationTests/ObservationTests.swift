import Synchronization
import Testing

@testable import ChangePropagation

@Suite("An observation")
struct ObservationTests {
  let network = ChangeNetwork()
  let numbers: Changes<Int>
  let journal = Journal<Int>()

  init() {
    numbers = Changes(on: network)
  }

  @Test("does not keep its context, and ends with it")
  func weakContext() {
    var context: Journal<Int>? = Journal()
    weak let trace = context
    let observation = context.map { context in
      numbers.observe(withContext: context) { [journal] _, number in journal.write(number) }
    }
    network.sync { numbers.announce(1) }
    #expect(observation?.hasEnded == false)
    context = nil
    #expect(trace == nil)
    #expect(observation?.hasEnded == true)
    network.sync { numbers.announce(2) }
    #expect(journal.entries == [1])
  }

  @Test("is forgotten with the next announcement, and what its observer held is released")
  func forgotten() {
    weak var trace: Journal<Int>?
    do {
      let held = Journal<Int>()
      trace = held
      numbers.observe(withContext: Journal<Int>()) { _, number in held.write(number) }
    }
    #expect(trace != nil)
    #expect(numbers.outlet.node.listenerCount == 1)
    network.sync { numbers.announce(1) }
    #expect(trace == nil)
    #expect(numbers.outlet.node.listenerCount == 0)
  }

  @Test("is forgotten without announcements too, when others come")
  func swept() {
    for _ in 0..<1_000 { numbers.write(to: Journal()) }
    #expect(numbers.outlet.node.listenerCount <= 17)
    let journals = (0..<100).map { _ in Journal<Int>() }
    for journal in journals { numbers.write(to: journal) }
    for _ in 0..<1_000 { numbers.write(to: Journal()) }
    #expect(numbers.outlet.node.listenerCount <= 202)
    network.sync { numbers.announce(1) }
    #expect(numbers.outlet.node.listenerCount == 100)
    #expect(journals.allSatisfy { $0.entries == [1] })
  }
}

@Suite("A disabled observation")
struct DisabledObservationTests {
  let network = ChangeNetwork()
  let numbers: Changes<Int>
  let journal = Journal<Int>()

  init() {
    numbers = Changes(on: network)
  }

  @Test("can be disabled from elsewhere")
  func fromElsewhere() {
    let observation = numbers.write(to: journal)
    numbers.announce(1)
    observation.disable { numbers.announce(2) }
    numbers.announce(3)
    network.settle()
    #expect(journal.entries == [1, 3])
  }

  @Test("is enabled again when the body throws")
  func throwing() {
    struct Refusal: Error {}
    let observation = numbers.write(to: journal)
    #expect(throws: Refusal.self) { try observation.disable { throw Refusal() } }
    numbers.announce(1)
    network.settle()
    #expect(journal.entries == [1])
  }

  @Test("is forgotten when its context is gone")
  func gone() {
    var context: Journal<Int>? = Journal()
    let observation = context.map { numbers.write(to: $0) }
    context = nil
    observation?.disable { numbers.announce(1) }
    #expect(numbers.outlet.node.listenerCount == 0)
  }
}
