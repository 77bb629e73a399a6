import ChangePropagation
import Dispatch
import Foundation
import Synchronization
import Testing

@Suite("The example of the documentation")
struct ExampleTests {
  @Test("does what it says")
  func works() {
    // example begins
    struct Deposit { var amount: Int }
    struct Withdrawal { var amount: Int }

    // The network lives on one serial queue, here one of its own.
    let network = ChangeNetwork()
    let deposits = Changes<Deposit>(on: network)
    let withdrawals = Changes<Withdrawal>(on: network)
    let limits = Changes<Int>(on: network)

    // What is, is derived from what happens.
    let movements = deposits.merge(withdrawals).map { movement in
      switch movement {
      case .left(let deposit): deposit.amount
      case .right(let withdrawal): -withdrawal.amount
      }
    }
    let balance = movements.accumulate(startingFrom: 0) { amount, balance in balance + amount }
    let limit = limits.accumulate(startingFrom: 100) { new, _ in new }
    let isOverdrawn = balance.combine(limit) { balance, limit in balance < -limit }
    let large = movements.filter { abs($0) >= 500 }

    // An observer is a function together with the object for whose sake it observes.
    final class Clerk: Sendable {
      private let book = Mutex<[String]>([])
      var notes: [String] { book.withLock { $0 } }
      func note(_ text: String) { book.withLock { $0.append(text) } }
    }
    let clerk = Clerk()
    isOverdrawn.observe(withContext: clerk) { clerk, isOverdrawn in
      clerk.note(isOverdrawn ? "overdrawn" : "in order")
    }
    large.observe(withContext: clerk) { clerk, amount in clerk.note("look at \(amount)") }

    // Inlets may be used from anywhere.
    let inlet = withdrawals.inlet
    DispatchQueue.global().async { inlet.announce(Withdrawal(amount: 20)) }

    deposits.announce(Deposit(amount: 700))
    limits.announce(0)
    // example ends
    while balance.current != 680 { network.settle() }
    #expect(!isOverdrawn.current)
    #expect(clerk.notes.filter { $0 == "look at 700" }.count == 1)
    #expect(clerk.notes.first == "in order")
    withdrawals.announce(Withdrawal(amount: 681))
    network.settle()
    #expect(isOverdrawn.current)
    #expect(clerk.notes.suffix(2) == ["look at -681", "overdrawn"])
  }

  @Test("stands there word for word")
  func isTheSame() throws {
    let page = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../docs/change-propagation.md")
    let documented = try String(contentsOf: page, encoding: .utf8)
    let source = try String(contentsOf: URL(filePath: #filePath), encoding: .utf8)
    let lines = source.split(separator: "\n", omittingEmptySubsequences: false)
    let begin = try #require(lines.firstIndex { $0.hasSuffix("// example begins") })
    let end = try #require(lines.firstIndex { $0.hasSuffix("// example ends") })
    let example = lines[(begin + 1)..<end].map { $0.dropFirst(4) }.joined(separator: "\n")
    #expect(documented.contains("\n\n" + example + "\n```"))
  }
}
