import GoalsCore
import Testing

@testable import GoalsStore

@Suite("A merge of ids") struct IDMergeTests {
  private static func entries(_ count: Int) -> [IndexEntry] {
    (0..<count).map { .init(account: Int64($0 % 3), id: .number(UInt64($0)), version: Version($0)) }
  }

  @Test("takes twice a commit's edits in, then removes four times their part of the rows")
  func shares() {
    var merge = IDMerge()
    let entries = Self.entries(12)
    merge.begin(entries, rows: 11...16)
    #expect(merge.takeShare(edits: 1) == .index(entries[0..<2]))
    #expect(merge.takeShare(edits: 4) == .index(entries[2..<10]))
    #expect(merge.isIndexing)
    #expect(merge.takeShare(edits: 2) == .index(entries[10..<12]))
    #expect(!merge.isIndexing)
    #expect(merge.takeShare(edits: 1) == .drop(first: 2, through: 16))
    #expect(!merge.isIdle)
    #expect(merge.takeShare(edits: 1) == .drop(first: 2, through: 16))
    #expect(merge.takeShare(edits: 1) == .drop(first: 2, through: 16))
    #expect(merge.isIdle)
    #expect(merge.takeShare(edits: 1) == .none)
  }

  @Test("removes at least one row a commit, and the rest at its end")
  func fewRows() {
    var merge = IDMerge()
    merge.begin(Self.entries(100), rows: 1...3)
    _ = merge.takeShare(edits: 50)
    #expect(merge.takeShare(edits: 1) == .drop(first: 1, through: 3))
    #expect(merge.takeShare(edits: 80) == .drop(first: 2, through: 3))
    #expect(merge.isIdle)
  }

  @Test("never takes numbers without a row for rows, of which there are no more than ids")
  func gaps() {
    var merge = IDMerge()
    merge.begin(Self.entries(4), rows: 1...(1 << 62 - 1))
    _ = merge.takeShare(edits: 2)
    #expect(merge.takeShare(edits: 1) == .drop(first: 4, through: 1 << 62 - 1))
    #expect(merge.isIdle)
  }

  /// Of the ids that wait a commit takes up to 2000: `Waitlist.maximumWeight`.
  @Test(
    "ends before as many ids wait again, whatever the commits were and are, and none removes much",
    arguments: [1, 2, 22, 700, 2000], [1, 2, 22, 700, 2000])
  func ends(before: Int, after: Int) {
    var merge = IDMerge()
    let batch = Store.defaultIDBatch
    let rows = (batch + before - 1) / before
    let ids = rows * before
    merge.begin(Self.entries(ids), rows: 1...Int64(rows))
    var (waiting, taken, removed, most) = (0, 0, 0, 0)
    while !merge.isIdle && waiting < batch {
      waiting += after
      switch merge.takeShare(edits: after) {
      case .none: break
      case .index(let entries):
        taken += entries.count
      case .drop(let count, _):
        removed += count
        most = max(most, count)
      case .move: Issue.record("Nothing waited when the database was opened.")
      }
    }
    #expect(waiting < batch)
    #expect(taken == ids)
    #expect(removed == rows)
    // No more ids than four times what a commit adds, but for what fills one row.
    #expect(most * before < 4 * after + before)
  }

  @Test(
    "takes twice the edits out of the rows after a start, by portions, until none of them is left")
  func catchesUp() {
    var merge = IDMerge()
    let portion = IDMerge.portion
    merge.catchUp(through: 9)
    #expect(merge.takeShare(edits: 3) == .move(first: portion + 6, through: 9))
    merge.forget(1)
    for _ in 1..<portion / 2 { #expect(merge.takeShare(edits: 1) == .none) }
    #expect(merge.takeShare(edits: 1) == .move(first: portion, through: 9))
    #expect(merge.takeShare(edits: portion) == .move(first: 2 * portion, through: 9))
    #expect(merge.isIndexing && !merge.isIdle)
    merge.hasCaughtUp()
    #expect(merge.isIdle && !merge.isIndexing)
    #expect(merge.takeShare(edits: 1) == .none)
    merge.begin(Self.entries(2), rows: 1...1)
    merge.hasCaughtUp()
    #expect(merge.isIndexing)
  }

  @Test("takes in nothing of an account that is gone, and removes its rows all the same")
  func forgotten() {
    var merge = IDMerge()
    merge.begin(Self.entries(6), rows: 1...6)
    merge.forget(1)
    #expect(
      merge.takeShare(edits: 9) == .index(Self.entries(6).filter { $0.account != 1 }[...]))
    merge.forget(2)
    #expect(merge.takeShare(edits: 9) == .drop(first: 6, through: 6))
    #expect(merge.isIdle)
  }
}
