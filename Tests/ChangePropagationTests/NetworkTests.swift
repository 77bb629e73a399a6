import ChangePropagation
import Dispatch
import Testing

@Suite("A network")
struct NetworkTests {
  let network = ChangeNetwork()

  @Test("knows its queue")
  func isCurrent() {
    #expect(!network.isCurrent)
    #expect(network.sync { network.isCurrent })
    #expect(network.queue.sync { network.isCurrent })
    let other = ChangeNetwork()
    #expect(!network.sync { other.isCurrent })
  }

  @Test("runs a nested sync at once")
  func nestedSync() {
    #expect(network.sync { network.sync { network.sync { 7 } } } == 7)
  }

  @Test("lets errors of sync through")
  func throwingSync() {
    struct Refusal: Error {}
    #expect(throws: Refusal.self) { try network.sync { throw Refusal() } }
  }

  @Test("delivers at once to a caller on the queue, and calls observers there")
  func announcingOnTheQueue() {
    let numbers = Changes<Int>(on: network)
    let journal = Journal<Bool>()
    let mapped = numbers.map { [network] _ in network.isCurrent }
    mapped.write(to: journal)
    numbers.observe(withContext: journal) { [network] journal, _ in
      journal.write(network.isCurrent)
    }
    network.sync {
      numbers.announce(1)
      #expect(journal.entries == [true, true])
    }
    numbers.announce(2)
    network.settle()
    #expect(journal.entries == [true, true, true, true])
  }

  @Test("takes an announcement from elsewhere without waiting, and settles")
  func announcingElsewhere() {
    let numbers = Changes<Int>(on: network)
    let journal = Journal<Int>()
    numbers.write(to: journal)
    network.queue.suspend()
    numbers.inlet.announce(1)
    numbers.inlet.announce(2)
    #expect(journal.entries == [])
    network.queue.resume()
    network.settle()
    #expect(journal.entries == [1, 2])
  }

  @Test("keeps the announcements of each thread in order, and loses none")
  func manyThreads() {
    let threads = 8
    let each = 500
    let numbers = Changes<(thread: Int, number: Int)>(on: network)
    let journal = Journal<(thread: Int, number: Int)>()
    numbers.write(to: journal)
    let inlet = numbers.inlet
    DispatchQueue.concurrentPerform(iterations: threads) { thread in
      for number in 0..<each { inlet.announce((thread, number)) }
    }
    network.settle()
    for thread in 0..<threads {
      let heard = journal.entries.filter { $0.thread == thread }.map(\.number)
      #expect(heard == Array(0..<each))
    }
  }

  @Test("keeps together what is announced in one sync")
  func syncIsUndivided() {
    let numbers = Changes<Int>(on: network)
    let journal = Journal<Int>()
    numbers.write(to: journal)
    DispatchQueue.concurrentPerform(iterations: 8) { thread in
      network.sync {
        for _ in 0..<100 { numbers.announce(thread) }
      }
    }
    let runs = stride(from: 0, to: 800, by: 100).map { Set(journal.entries[$0..<$0 + 100]) }
    #expect(runs.allSatisfy { $0.count == 1 })
    #expect(Set(journal.entries).count == 8)
  }

  @Test("takes registrations and announcements of many threads at a time")
  func registeringMeanwhile() {
    let numbers = Changes<Int>(on: network)
    let journals = (0..<64).map { _ in Journal<Int>() }
    DispatchQueue.concurrentPerform(iterations: 64) { index in
      numbers.map { $0 + 1 }.filter { _ in false }.write(to: journals[index])
      numbers.write(to: journals[index])
      numbers.announce(index)
    }
    network.settle()
    for (index, journal) in journals.enumerated() {
      #expect(journal.entries.contains(index), "registered before it was announced")
    }
  }

  @Test("hands over a body without running it, also for a caller on the queue")
  func async() {
    let journal = Journal<Int>()
    network.sync {
      network.async { journal.write(2) }
      journal.write(1)
    }
    network.settle()
    #expect(journal.entries == [1, 2])
  }

  @Test("lives on a queue handed in, beside others, and may be dropped there")
  func sharedQueue() {
    let queue = DispatchQueue(label: "shared")
    let stays = ChangeNetwork(queue: queue)
    queue.sync {
      let goes = ChangeNetwork(queue: queue)
      #expect(goes.isCurrent && stays.isCurrent)
    }
    #expect(queue.sync { stays.isCurrent })
    #expect(!stays.isCurrent)
  }

  @Test("is known on a queue that targets its own")
  func targetingQueue() {
    let above = DispatchQueue(label: "above", target: network.queue)
    #expect(above.sync { network.isCurrent })
  }

  @Test("settles without waiting for itself, where an observer asks it to")
  func settlingMidTurn() {
    let numbers = Changes<Int>(on: network)
    let journal = Journal<String>()
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

  @Test("refuses to join streams of two networks")
  func twoNetworks() async {
    await #expect(processExitsWith: .failure) {
      let here = Changes<Int>(on: ChangeNetwork())
      let there = Changes<Int>(on: ChangeNetwork())
      _ = here.merge(there)
    }
    await #expect(processExitsWith: .failure) {
      let here = Changes<Int>(on: ChangeNetwork()).accumulate(startingFrom: 0) { $0 + $1 }
      let there = Changes<Int>(on: ChangeNetwork()).accumulate(startingFrom: 0) { $0 + $1 }
      _ = here.combine(there) { $0 + $1 }
    }
  }
}
