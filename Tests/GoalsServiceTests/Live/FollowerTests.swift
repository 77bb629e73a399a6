import GoalsCore
import TestSupport
import Testing

@testable import GoalsService

@Suite("A follower") struct FollowerTests {
  @Test("at the head is told what is announced")
  func live() {
    var follower = Follower(at: at(3))
    #expect(follower.joined(head: at(3)) == .rest)
    #expect(follower.announced(from: at(3), to: at(6)) == .tell)
    #expect(follower.announced(from: at(6), to: at(7)) == .tell)
    #expect(follower.cursor == at(7))
  }

  @Test("behind the head reads up to it first")
  func behind() {
    var follower = Follower(at: at(1))
    #expect(follower.joined(head: at(4)) == .read(after: v(1)))
    #expect(follower.read(from: at(1), to: at(3), head: v(4)) == .send)
    #expect(follower.sent() == .read(after: v(3)))
    #expect(follower.read(from: at(3), to: at(4), head: v(4)) == .send)
    #expect(follower.sent() == .rest)
    #expect(follower.announced(from: at(4), to: at(5)) == .tell)
  }

  @Test("that does not know the head looks for it")
  func unknownHead() {
    var follower = Follower(at: at(2))
    #expect(follower.joined(head: nil) == .read(after: v(2)))
    #expect(follower.read(from: at(2), to: nil, head: v(2)) == .rest)
    #expect(follower.announced(from: at(2), to: at(3)) == .tell)
  }

  @Test("reads what was announced while it read, and is told none of it twice")
  func announcedWhileReading() {
    var follower = Follower(at: at(1))
    #expect(follower.joined(head: nil) == .read(after: v(1)))
    // The log was read before edit 2 was committed, and is told of after.
    #expect(follower.announced(from: at(1), to: at(2)) == .rest)
    #expect(follower.read(from: at(1), to: nil, head: v(1)) == .read(after: v(1)))
    #expect(follower.read(from: at(1), to: at(2), head: v(2)) == .send)
    #expect(follower.announced(from: at(2), to: at(3)) == .rest)
    #expect(follower.sent() == .read(after: v(2)))
    #expect(follower.read(from: at(2), to: at(3), head: v(3)) == .send)
    #expect(follower.sent() == .rest)
    #expect(follower.announced(from: at(1), to: at(3)) == .rest)
  }

  @Test("reads once what another server recorded, whenever it learns of that")
  func learned() {
    var follower = Follower(at: at(1))
    #expect(follower.joined(head: nil) == .read(after: v(1)))
    #expect(follower.learned(head: at(3), isPresent: false) == .rest)
    #expect(follower.read(from: at(1), to: at(2), head: v(2)) == .send)
    #expect(follower.learned(head: at(4), isPresent: false) == .rest)
    #expect(follower.sent() == .read(after: v(2)))
    #expect(follower.read(from: at(2), to: at(4), head: v(4)) == .send)
    #expect(follower.sent() == .rest)
    #expect(follower.learned(head: at(4), isPresent: false) == .rest)
    #expect(follower.learned(head: at(5), isPresent: false) == .read(after: v(4)))
  }

  @Test("reads once, not for ever, where the log lost what was known of it")
  func lost() {
    var follower = Follower(at: at(1))
    #expect(follower.joined(head: at(1)) == .rest)
    #expect(follower.learned(head: at(3), isPresent: false) == .read(after: v(1)))
    #expect(follower.read(from: at(1), to: nil, head: v(1)) == .rest)
    #expect(follower.learned(head: at(2), isPresent: false) == .read(after: v(1)))
    // More was announced meanwhile: that may come to be there.
    #expect(follower.announced(from: at(1), to: at(2)) == .rest)
    #expect(follower.learned(head: at(4), isPresent: false) == .rest)
    #expect(follower.read(from: at(1), to: nil, head: v(1)) == .read(after: v(1)))
    #expect(follower.read(from: at(1), to: at(4), head: v(4)) == .send)
  }

  @Test("reads the rest of a commit of which it read the beginning")
  func overlap() {
    var follower = Follower(at: at(1))
    #expect(follower.joined(head: at(2)) == .read(after: v(1)))
    #expect(follower.read(from: at(1), to: at(4), head: v(4)) == .send)
    #expect(follower.sent() == .rest)
    #expect(follower.announced(from: at(2), to: at(6)) == .read(after: v(4)))
  }

  @Test("reads a long commit in pages, and is told what comes after it")
  func long() {
    var follower = Follower(at: at(1))
    #expect(follower.joined(head: at(1)) == .rest)
    #expect(follower.announced(from: at(1), to: at(900), isLong: true) == .read(after: v(1)))
    #expect(follower.read(from: at(1), to: at(101), head: v(900)) == .send)
    #expect(follower.announced(from: at(900), to: at(901)) == .rest)
    #expect(follower.sent() == .read(after: v(101)))
    #expect(follower.read(from: at(101), to: at(901), head: v(901)) == .send)
    #expect(follower.announced(from: at(901), to: at(1200), isLong: true) == .rest)
    #expect(follower.sent() == .read(after: v(901)))
    #expect(follower.read(from: at(901), to: at(1200), head: v(1200)) == .send)
    #expect(follower.sent() == .rest)
    #expect(follower.announced(from: at(1099), to: at(1200), isLong: true) == .rest)
    #expect(follower.announced(from: at(1200), to: at(1201)) == .tell)
  }

  @Test("reads where an announcement leaves a gap")
  func gap() {
    var follower = Follower(at: at(1))
    #expect(follower.joined(head: at(1)) == .rest)
    #expect(follower.announced(from: at(3), to: at(4)) == .read(after: v(1)))
  }

  @Test("ends where another edit has the version of the last one written, whoever tells of it")
  func overwritten() {
    var live = Follower(at: at(2))
    #expect(live.joined(head: at(2)) == .rest)
    var late = Follower(at: at(2))
    #expect(late.joined(head: elsewhere(2)) == .end)
    var learning = live
    #expect(learning.learned(head: elsewhere(2), isPresent: false) == .end)
    var told = live
    #expect(told.announced(from: at(1), to: elsewhere(2)) == .end)
    var following = live
    #expect(following.announced(from: elsewhere(2), to: at(3)) == .read(after: v(2)))
    #expect(following.read(from: elsewhere(2), to: at(3), head: v(3)) == .end)
    var reading = live
    #expect(reading.learned(head: at(3), isPresent: false) == .read(after: v(2)))
    #expect(reading.read(from: nil, to: nil, head: v(1)) == .end)
  }

  @Test("ends once its client has taken a page whose last edit was lost meanwhile")
  func overwrittenWhileSending() {
    var follower = Follower(at: at(1))
    #expect(follower.joined(head: at(2)) == .read(after: v(1)))
    #expect(follower.read(from: at(1), to: at(2), head: v(2)) == .send)
    #expect(follower.learned(head: elsewhere(2), isPresent: false) == .rest)
    #expect(follower.sent() == .end)
  }

  @Test("goes on where a look at the log is older than what was written, and ends where it is not")
  func stale() {
    var follower = Follower(at: at(1))
    #expect(follower.joined(head: at(1)) == .rest)
    #expect(follower.announced(from: at(1), to: at(3)) == .tell)
    #expect(follower.learned(head: at(2), isPresent: false) == .rest)
    #expect(follower.announced(from: at(3), to: at(4)) == .tell)
    #expect(follower.learned(head: at(4), isPresent: true) == .rest)
    #expect(follower.learned(head: at(3), isPresent: true) == .end)
  }

  @Test("writes every edit once and in order, however reading and telling are interleaved")
  func interleaved() {
    var dice = Dice()
    for _ in 0..<3000 {
      let start = Int.random(in: 0...6, using: &dice)
      var log = Log(start: start, head: Int.random(in: start...6, using: &dice))
      let end = log.head + Int.random(in: 0...12, using: &dice)
      log.take(log.follower.joined(head: Bool.random(using: &dice) ? nil : at(log.head)))
      while !(log.head == end && log.isQuiet) { log.happen(upTo: end, &dice) }
      guard log.written == Array(start + 1..<end + 1) else {
        Issue.record(
          "GOALS_TEST_SEED=\(dice.seed): from \(start) to \(end), written \(log.written)")
        return
      }
    }
  }

  /// A log that grows, and is read and announced with any delay.
  private struct Log {
    var follower: Follower
    var head: Int
    var written: [Int] = []
    private var announcements: [(first: Int, last: Int)] = []
    /// After which edit it is to be read; with what was found, once it was.
    private var reading: (after: Int, found: (last: Int?, head: Int)?)?
    private var isSending = false

    init(start: Int, head: Int) {
      follower = Follower(at: at(start))
      self.head = head
    }

    var isQuiet: Bool { announcements.isEmpty && reading == nil && !isSending }

    mutating func happen(upTo end: Int, _ dice: inout Dice) {
      switch Int.random(in: 0..<5, using: &dice) {
      case 0 where head < end:
        let last = Int.random(in: head + 1...end, using: &dice)
        announcements.append((head + 1, last))
        head = last
      case 1 where !announcements.isEmpty:
        let (first, last) = announcements.removeFirst()
        take(follower.announced(from: at(first - 1), to: at(last)), announced: first...last)
      case 2 where reading != nil && reading?.found == nil:
        let after = reading?.after ?? 0
        reading?.found = (after < head ? min(head, after + 2) : nil, head)
      case 3:
        guard let (after, found) = reading, let found else { return }
        reading = nil
        take(
          follower.read(from: at(after), to: found.last.map(at), head: v(found.head)),
          readAfter: after)
      case 4 where isSending:
        isSending = false
        take(follower.sent())
      default: break
      }
    }

    mutating func take(
      _ step: Follower.Step, announced: ClosedRange<Int>? = nil, readAfter: Int = 0
    ) {
      switch step {
      case .rest, .end: break
      case .read(let after): reading = (after.number, nil)
      case .send:
        written += Array(readAfter + 1...follower.cursor.version.number)
        isSending = true
      case .tell:
        written += announced.map(Array.init) ?? []
      }
    }
  }
}

private func v(_ number: Int) -> Version { Version(number) }

/// Where the log is at this version.
private func at(_ number: Int) -> Cursor { Cursor(v(number), .link(UInt64(number))) }

/// The same of another history.
private func elsewhere(_ number: Int) -> Cursor { Cursor(v(number), .link(1_000 + UInt64(number))) }
