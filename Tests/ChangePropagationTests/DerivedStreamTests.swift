import Testing

@testable import ChangePropagation

@Suite("A derived stream")
struct DerivedStreamTests {
  let network = ChangeNetwork()
  let numbers: Changes<Int>
  let words: Changes<String>
  let journal = Journal<Int>()

  init() {
    numbers = Changes(on: network)
    words = Changes(on: network)
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
