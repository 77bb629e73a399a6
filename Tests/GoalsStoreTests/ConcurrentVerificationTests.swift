import Dispatch
import GoalsCore
import Testing
import TestSupport

@testable import GoalsStore

@Suite("A verification while the writer writes")
struct ConcurrentVerificationTests {
  @Test(
    "gives no false alarm, also while ids go into the index", .timeLimit(.minutes(10)),
    arguments: [32, Store.defaultIDBatch])
  func writing(idBatch: Int) async throws {
    let store = try TestStore(in: TemporaryFolder(), idBatch: idBatch).store
    for account in UInt64(1)...2 { try await store.addAccountWithGoal(account) }
    // A chain of undo that moves with every edit, over a log of more than one stretch.
    _ = await store.send(.of(all: [Edit](repeating: .bump, count: 1200), from: 10))
    let isOver = Flag()
    let written = Collected<Answer?>()
    let (_, faults) = try await atOnce(
      {
        var id: UInt64 = 10_000
        written.append(store.sendAndWait(.of(.bump, from: id)))
        while !isOver.isRaised {
          id += 1
          written.append(store.sendAndWait(.of(Edit(.undo(.number(id - 1))), from: id)))
        }
      },
      { () -> [String] in
        defer { isOver.raise() }
        var faults: [String] = []
        var rounds = 0
        while rounds < 5 || written.all.count < 50 {
          faults += try store.upkeep.verify()
          rounds += 1
        }
        return faults
      },
    )
    #expect(faults == [])
    #expect(written.all.allSatisfy { $0?.ruling?.recorded.count == 1 })
  }

  @Test("keeps no other read waiting, however long it takes")
  func reading() async throws {
    let folder = try TemporaryFolder()
    let database = try OwnedDatabase.claim(path: folder.database, ifMissing: .create)
    let backing = try SQLiteBacking(database, now: { 0 })
    try backing.add(.some(1), with: nil)
    let others = DispatchSemaphore(value: 0)
    let verifying = DispatchSemaphore(value: 0)
    let (hasSeenOthers, _) = try await atOnce(
      {
        // A verification that lasts until others have read, or five minutes.
        try backing.read(.whole) { _ in
          verifying.signal()
          return others.wait(timeout: .now() + 300) == .success
        }
      },
      {
        verifying.wait()
        for _ in 0..<4 {
          for length in [ReadLength.short, .long] {
            let snapshot = try backing.read(length) { view in
              try view.snapshot(of: .number(1))
            }
            if snapshot == nil { return }
          }
        }
        others.signal()
      }
    )
    #expect(hasSeenOthers)
    backing.close()
  }

  @Test("gives none of an account that is removed", .timeLimit(.minutes(10)))
  func removing() async throws {
    let store = try TestStore(.sqlite).store
    let isOver = Flag()
    let (_, faults) = try await atOnce(
      {
        defer { isOver.raise() }
        for account in UInt64(1)...12 {
          try store.book.addAccount(.some(account))
          let edits = [.addGoal, .activate] + [Edit](repeating: .bump, count: 1100)
          _ = store.sendAndWait(.of(all: edits, from: 1), to: account)
          _ = try store.book.removeAccount(.number(account))
        }
      },
      { () -> [String] in
        var faults: [String] = []
        while !isOver.isRaised { faults += try store.upkeep.verify() }
        return faults
      },
    )
    #expect(faults == [])
  }
}
