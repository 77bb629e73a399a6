import Synchronization
import Testing

@testable import ChangePropagation

@Suite("An observation")
struct ObservationTests {
  let network = Network()
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

  @Test("goes on though nobody holds it")
  func unheld() {
    numbers.write(to: journal)
    network.sync { numbers.announce(1) }
    #expect(journal.entries == [1])
  }

  @Test("may be one of several with one context")
  func sharedContext() {
    numbers.write(to: journal)
    let latest = numbers.map { -$0 }.accumulate(startingFrom: 0) { change, _ in change }
    latest.write(to: journal)
    numbers.write(to: journal)
    network.sync { numbers.announce(1) }
    #expect(journal.entries == [0, 1, -1, 1])
  }

  @Test("does not keep its stream")
  func endsWithTheStream() {
    var doubled: Outlet<Int>? = numbers.map { $0 * 2 }
    doubled?.write(to: journal)
    network.sync { numbers.announce(1) }
    doubled = nil
    network.sync { numbers.announce(2) }
    #expect(journal.entries == [2])
  }
}

@Suite("A disabled observation")
struct DisabledObservationTests {
  let network = Network()
  let numbers: Changes<Int>
  let journal = Journal<Int>()
  let others = Journal<Int>()

  init() {
    numbers = Changes(on: network)
  }

  @Test("misses what is announced meanwhile, and nothing else")
  func disabled() {
    let observation = numbers.write(to: journal)
    numbers.write(to: others)
    network.sync {
      numbers.announce(1)
      observation.disable { numbers.announce(2) }
      numbers.announce(3)
    }
    #expect(journal.entries == [1, 3])
    #expect(others.entries == [1, 2, 3])
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

  @Test("stays disabled until the outermost body is done")
  func nested() {
    let observation = numbers.write(to: journal)
    let other = numbers.write(to: others)
    observation.disable {
      observation.disable { numbers.announce(1) }
      other.disable { numbers.announce(2) }
      numbers.announce(3)
    }
    numbers.announce(4)
    network.settle()
    #expect(journal.entries == [4])
    #expect(others.entries == [1, 3, 4])
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

  @Test("answers what the body answers")
  func result() {
    #expect(numbers.write(to: journal).disable { 7 } == 7)
  }

  @Test("misses it on derived streams as well")
  func derived() {
    let sum = numbers.accumulate(startingFrom: 0) { $0 + $1 }
    let observation = sum.write(to: journal)
    observation.disable { numbers.announce(1) }
    numbers.announce(2)
    network.settle()
    #expect(journal.entries == [0, 3])
    #expect(sum.current == 3)
  }

  @Test("misses what an observer announces while disabled, though it is delivered later")
  func duringAnAnnouncement() {
    let observation = numbers.write(to: journal)
    numbers.write(to: others)
    numbers.observe(withContext: others) { [numbers] _, number in
      if number == 1 {
        numbers.announce(2)
        observation.disable { numbers.announce(3) }
        numbers.announce(4)
      }
    }
    network.sync { numbers.announce(1) }
    #expect(journal.entries == [1, 2, 4])
    #expect(others.entries == [1, 2, 3, 4])
  }

  @Test("still hears the change under way")
  func underWay() {
    let observation = Box<Observation?>(nil)
    numbers.observe(withContext: others) { _, _ in observation.value?.disable {} }
    observation.put(numbers.write(to: journal))
    network.sync { numbers.announce(1) }
    #expect(journal.entries == [1])
  }

  @Test("hears what another observer announces in answer", arguments: [false, true])
  func answers(midTurn: Bool) {
    let observation = numbers.write(to: journal)
    numbers.observe(withContext: others) { [numbers] _, number in
      if number == 1 { numbers.announce(100) }
    }
    if midTurn {
      numbers.observe(withContext: others) { [numbers] _, number in
        if number == 0 { observation.disable { numbers.announce(1) } }
      }
      network.sync { numbers.announce(0) }
      #expect(journal.entries == [0, 100])
    } else {
      observation.disable {
        numbers.announce(1)
        numbers.announce(2)
      }
      #expect(journal.entries == [100])
    }
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
