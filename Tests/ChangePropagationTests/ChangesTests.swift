import ChangePropagation
import Testing

@Suite("A stream of changes")
struct ChangesTests {
  let network = ChangeNetwork()
  let numbers: Changes<Int>
  let journal = Journal<Int>()

  init() {
    numbers = Changes(on: network)
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
}
