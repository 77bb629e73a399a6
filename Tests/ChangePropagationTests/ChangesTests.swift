import ChangePropagation
import Testing

@Suite("A stream of changes")
struct ChangesTests {
  let network = Network()
  let numbers: Changes<Int>
  let journal = Journal<Int>()

  init() {
    numbers = Changes(on: network)
  }

  @Test("tells each change to each observer, in the order of registration")
  func orderOfObservers() {
    let names = Journal<String>()
    for name in ["a", "b", "c"] {
      numbers.observe(withContext: names) { names, number in names.write("\(name)\(number)") }
    }
    network.sync {
      numbers.announce(1)
      numbers.announce(2)
    }
    #expect(names.entries == ["a1", "b1", "c1", "a2", "b2", "c2"])
  }

  @Test("tells a late observer only what comes after")
  func lateObserver() {
    numbers.announce(1)
    numbers.write(to: journal)
    numbers.announce(2)
    network.settle()
    #expect(journal.entries == [2])
  }

  @Test("hands out an inlet and an outlet that are the same stream")
  func ends() {
    numbers.outlet.write(to: journal)
    numbers.inlet.announce(1)
    numbers.announce(2)
    network.settle()
    #expect(journal.entries == [1, 2])
    #expect(numbers.network === network)
    #expect(numbers.outlet.network === network)
  }

  @Test("lives on in its inlet and outlet")
  func endsKeepTheStream() {
    let (inlet, outlet) = {
      let changes = Changes<Int>(on: network)
      return (changes.inlet, changes.outlet)
    }()
    outlet.write(to: journal)
    inlet.announce(1)
    network.settle()
    #expect(journal.entries == [1])
  }

  @Test("delivers what was handed over, though nobody holds it any more")
  func announcementKeepsTheStream() {
    network.queue.suspend()
    do {
      let changes = Changes<Int>(on: network)
      network.queue.resume()
      changes.write(to: journal)
      network.queue.suspend()
      changes.announce(1)
    }
    network.queue.resume()
    network.settle()
    #expect(journal.entries == [1])
  }

  @Test("can carry nothing but the moment")
  func triggers() {
    let ticks = Changes<Void>(on: network)
    let count = ticks.accumulate(startingFrom: 0) { _, count in count + 1 }
    ticks.announce(())
    ticks.announce(())
    network.settle()
    #expect(count.current == 2)
  }
}

@Suite("During an announcement")
struct DuringAnAnnouncementTests {
  let network = Network()
  let numbers: Changes<Int>
  let journal = Journal<String>()

  init() {
    numbers = Changes(on: network)
  }

  private func observe(_ name: String, in stream: Outlet<Int>? = nil) {
    (stream ?? numbers.outlet).observe(withContext: journal) { journal, number in
      journal.write("\(name)\(number)")
    }
  }

  @Test("an observer registered is not lost, and hears what comes after")
  func registering() {
    numbers.observe(withContext: journal) { [self] _, number in
      if number == 1 { observe("late") }
    }
    observe("early")
    network.sync {
      numbers.announce(1)
      numbers.announce(2)
    }
    #expect(journal.entries == ["early1", "early2", "late2"])
  }

  @Test("an observer registered beside one whose context is gone is not lost")
  func registeringWhileSweeping() {
    let passing = Box<Journal<Int>?>(Journal())
    if let context = passing.value { numbers.write(to: context) }
    numbers.observe(withContext: journal) { [self] _, number in
      if number == 1 {
        passing.put(nil)
        observe("late")
      }
    }
    network.sync {
      numbers.announce(1)
      numbers.announce(2)
      numbers.announce(3)
    }
    #expect(journal.entries == ["late2", "late3"])
  }

  @Test("an observer of a stream not yet reached hears the change still")
  func registeringDownstream() {
    let doubled = Box<Outlet<Int>?>(nil)
    numbers.observe(withContext: journal) { [self] _, number in
      if number == 1 { observe("late", in: doubled.value) }
    }
    doubled.put(numbers.map { $0 * 2 })
    network.sync { numbers.announce(1) }
    #expect(journal.entries == ["late2"])
  }

  @Test("an announcement reaches every observer, in order, after the one under way")
  func announcing() {
    observe("a")
    numbers.observe(withContext: journal) { [numbers] journal, number in
      journal.write("b\(number)")
      if number == 1 {
        numbers.announce(2)
        numbers.announce(3)
      }
      if number == 2 { numbers.announce(4) }
    }
    observe("c")
    network.sync {
      numbers.announce(1)
      #expect(
        journal.entries == [
          "a1", "b1", "c1", "a2", "b2", "c2", "a3", "b3", "c3", "a4", "b4", "c4",
        ])
    }
  }

  @Test("an announcement on another stream of the network waits as well")
  func announcingElsewhere() {
    let others = Changes<Int>(on: network)
    numbers.observe(withContext: journal) { _, number in others.announce(number * 10) }
    observe("number")
    observe("other", in: others.outlet)
    network.sync { numbers.announce(1) }
    #expect(journal.entries == ["number1", "other10"])
  }

  @Test("an observer that was told its first value may announce")
  func announcingOnRegistration() {
    let sum = numbers.accumulate(startingFrom: 1) { $0 + $1 }
    sum.observe(withContext: journal) { [numbers] journal, value in
      journal.write("begin \(value)")
      if value < 3 { numbers.announce(1) }
      journal.write("end \(value)")
    }
    #expect(
      journal.entries == ["begin 1", "end 1", "begin 2", "end 2", "begin 3", "end 3"])
  }

  @Test("an observer whose context is dropped is not called any more")
  func dropping() {
    let passing = Box<Journal<Int>?>(Journal())
    numbers.observe(withContext: journal) { _, _ in passing.put(nil) }
    if let context = passing.value {
      numbers.observe(withContext: context) { [journal] _, _ in journal.write("called") }
    }
    network.sync { numbers.announce(1) }
    #expect(journal.entries == [])
  }

  @Test("settling does not wait for itself")
  func settling() {
    numbers.observe(withContext: journal) { [network, numbers] journal, number in
      if number == 1 {
        numbers.announce(2)
        network.settle()
      }
      journal.write("\(number)")
    }
    network.sync { numbers.announce(1) }
    #expect(journal.entries == ["1", "2"])
  }
}
