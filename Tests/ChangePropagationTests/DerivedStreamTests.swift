import Testing

@testable import ChangePropagation

@Suite("A derived stream")
struct DerivedStreamTests {
  let network = Network()
  let numbers: Changes<Int>
  let words: Changes<String>
  let journal = Journal<Int>()

  init() {
    numbers = Changes(on: network)
    words = Changes(on: network)
  }

  @Test("is each change transformed, with map")
  func map() {
    let lengths = words.map(\.count)
    lengths.write(to: journal)
    network.sync { ["a", "", "abc"].forEach(words.announce) }
    #expect(journal.entries == [1, 0, 3])
  }

  @Test("is the changes that satisfy a predicate, with filter")
  func filter() {
    let even = numbers.filter { $0.isMultiple(of: 2) }
    even.write(to: journal)
    network.sync { (1...6).forEach(numbers.announce) }
    #expect(journal.entries == [2, 4, 6])
  }

  @Test("is the changes of two streams of different values, with merge")
  func mergeOfDifferent() {
    let journal = Journal<Either<Int, String>>()
    let both = numbers.merge(words)
    both.write(to: journal)
    network.sync {
      numbers.announce(1)
      words.announce("a")
      numbers.announce(2)
    }
    #expect(journal.entries == [.left(1), .right("a"), .left(2)])
  }

  @Test("is the changes of two streams of equal values, with merge, told apart if so wished")
  func mergeOfEqual() {
    let more = Changes<Int>(on: network)
    let both = numbers.merge(more)
    let sides = numbers.merge(more).map { (side: Either<Int, Int>) in
      switch side {
      case .left(let number): number
      case .right(let number): -number
      }
    }
    both.write(to: journal)
    sides.write(to: journal)
    network.sync {
      numbers.announce(1)
      more.announce(2)
    }
    #expect(journal.entries == [1, 1, 2, -2])
  }

  @Test("tells an announcement that comes over two ways twice, in the order of the ways")
  func mergeOfOneSource() {
    let both = numbers.map { $0 * 10 }.merge(numbers)
    both.write(to: journal)
    network.sync {
      numbers.announce(1)
      numbers.announce(2)
    }
    #expect(journal.entries == [10, 1, 20, 2])
    let sides = Journal<Either<Int, Int>>()
    let itself: Outlet<Either<Int, Int>> = numbers.merge(numbers)
    itself.write(to: sides)
    network.sync { numbers.announce(3) }
    #expect(sides.entries == [.left(3), .right(3)])
  }

  @Test("is wired in one expression, down to the value")
  func oneExpression() {
    struct Edit {
      var length: Int
      init(_ edit: Either<Int, String>) { length = edit.length }
      func transform(_ total: Int) -> Int { total + length }
    }
    let total = numbers.merge(words).map(Edit.init)
      .accumulate(startingFrom: 0) { edit, total in edit.transform(total) }
    network.sync {
      numbers.announce(2)
      words.announce("abc")
    }
    #expect(total.current == 5)
  }

  @Test("keeps its sources alive")
  func keepsSources() {
    let (inlet, derived) = {
      let numbers = Changes<Int>(on: network)
      return (numbers.inlet, numbers.map { $0 + 1 }.filter { $0 > 1 }.merge(words).map(\.length))
    }()
    derived.write(to: journal)
    inlet.announce(0)
    inlet.announce(1)
    network.settle()
    #expect(journal.entries == [2])
  }

  @Test("is kept alive by what is derived from it, and by nothing else")
  func isKept() {
    var kept: Outlet<Int>? = numbers.map { $0 * 2 }
    weak let node = kept?.node
    var keeper: Changing<Int>? = kept?.map { $0 + 1 }.accumulate(startingFrom: 0) { $0 + $1 }
    kept?.write(to: journal)
    kept = nil
    #expect(node != nil)
    network.sync { numbers.announce(1) }
    #expect(keeper?.current == 3)
    keeper = nil
    #expect(node == nil)
    #expect(numbers.outlet.node.listenerCount == 1)
    network.sync { numbers.announce(2) }
    #expect(numbers.outlet.node.listenerCount == 0)
    #expect(journal.entries == [2])
  }
}

extension Either where Left == Int, Right == String {
  fileprivate var length: Int {
    switch self {
    case .left(let number): number
    case .right(let word): word.count
    }
  }
}
