import GoalsCore
import GoalsReplica
import JSON
import ReplicaTestSupport
import TestSupport
import Testing

@testable import GoalsEngine

/// What a device keeps: a file of lines, which may be cut off or damaged.
@Suite struct `A kept file` {
  /// The lines of a device that edited, was offline and undid, a snapshot first, and what was kept
  /// after each line.
  private static let (lines, states) = kept()

  private static func kept() -> ([String], [Replica.Kept]) {
    var shell = TestShell()
    shell.start()
    shell.edit(TestEdit.add(1), TestEdit.turnOn(2), TestEdit.bump(3))
    shell.snapshot = text(of: shell.ask("kept"))
    shell.changes = []
    shell.edit(TestEdit.undo(4, 3))
    shell.isOnline = false
    shell.edit(TestEdit.bump(5))
    shell.edit(TestEdit.bump(6), TestEdit.undo(7, 5))
    let lines = [shell.snapshot] + shell.changes
    var kept = Replica.Kept()
    let states = lines.enumerated().map { index, line in
      let root = known(try? JSONDocument(parsing: Array(line.utf8)).root, line)
      if index == 0 {
        kept = known(Replica.Kept(root), line)
      } else {
        kept.apply(known(Replica.Delta(root), line))
      }
      return kept
    }
    return (lines, states)
  }

  @Test func `is read as it was kept`() {
    #expect(Self.lines.count >= 5)
    let read = Replica.KeptLines(Array((Self.lines.joined(separator: "\n") + "\n").utf8))
    #expect(read.isClean && read.lines == Self.lines.count)
    #expect(read.kept == Self.states.last)
    #expect(read.kept.own.all.filter(\.isPending).count == 3)
    #expect(read.kept.state.roster.listed(1)?.days.all.isEmpty == true)
  }

  @Test func `says whether the log was read to its end`() {
    var restart = Replica.Delta()
    restart.restart = Replica.Identity(account: 1, calendar: .initial)
    var page = Replica.Delta()
    page.cursor = Replica.Cursor("1.1")
    page.more = true
    let end = [UInt8(ascii: "\n")]
    let read = Replica.KeptLines(end + restart.line + end + page.line + end).kept
    #expect(read.cursor == page.cursor && !read.isWhole)
    #expect(Replica.KeptLines(read.line + end).kept == read)
    page.more = false
    let whole = Replica.KeptLines(read.line + end + page.line + end).kept
    #expect(whole.isWhole && Replica.KeptLines(whole.line + end).kept == whole)
  }

  @Test func `is read up to its last whole line, wherever it is cut`() {
    let file = Array((Self.lines.joined(separator: "\n") + "\n").utf8)
    var whole = 0
    for end in 0..<file.count {
      if end > 0, file[end - 1] == UInt8(ascii: "\n") { whole += 1 }
      let read = Replica.KeptLines(file[..<end])
      // All of a line but its end is a line.
      let isAtEnd = file[end] == UInt8(ascii: "\n")
      let states = isAtEnd ? whole + 1 : whole
      let expected = states == 0 ? Replica.Kept() : Self.states[states - 1]
      guard read.kept == expected, read.damage == nil,
        read.breaksOff == !(isAtEnd || end == 0 || file[end - 1] == UInt8(ascii: "\n"))
      else {
        Issue.record("cut at \(end): \(read.damage as Any), \(read.breaksOff)")
        return
      }
    }
    #expect(whole == Self.lines.count - 1)
  }

  @Test(arguments: [0, 1, 2, 3])
  func `names the line that is damaged, and keeps the own edits of the others`(_ damaged: Int) {
    var lines = Self.lines
    lines[damaged].removeFirst()
    let read = Replica.KeptLines(Array((lines.joined(separator: "\n") + "\n").utf8))
    #expect(read.damage?.line == damaged + 1)
    #expect(read.damage?.detail.hasSuffix(".") == true)
    let before = damaged == 0 ? Replica.Kept() : Self.states[damaged - 1]
    #expect(read.kept.state == before.state && read.kept.cursor == before.cursor)
    // The last two lines have an own edit each, or two.
    #expect(read.kept.own[Edit.ID(high: 1, low: 6)]?.standing == .due)
    #expect(read.kept.own[Edit.ID(high: 1, low: 7)]?.standing == .due)
  }

  @Test func `has nothing of a line that is known to be altered`() {
    let lines = Array((Self.lines.joined(separator: "\n") + "\n").utf8)
    let read = Replica.KeptLines(lines, altered: [Self.lines.count])
    #expect(read.damage?.line == Self.lines.count)
    #expect(read.kept == Self.states[Self.states.count - 2])
  }

  @Test func `that lacks a line of the log is damaged after it`() {
    var lines = Self.lines
    let recorded = known(lines.firstIndex { $0.contains("\"recorded\":") && $0 != lines[0] }, "")
    var again = known(
      Replica.Delta(try! JSONDocument(parsing: Array(lines[recorded].utf8)).root), "a change")
    lines[recorded] = "{\"format\":1}"
    again.own = []
    again.cursor = Replica.Cursor("later")
    again.recorded = again.recorded.map { $0.moved(by: 1) }
    lines.append(String(decoding: again.line, as: UTF8.self))
    let read = Replica.KeptLines(Array((lines.joined(separator: "\n") + "\n").utf8))
    #expect(read.damage?.line == lines.count)
    #expect(read.kept.state == Self.states[0].state)
  }

  @Test func `of another format leaves the own edits and whose they are`() {
    for from in 0...2 {
      let lines = Self.lines.enumerated().map { index, line in
        index < from ? line : line.replacing("\"format\":1", with: "\"format\":2,\"new\":[{}]")
      }
      let read = Replica.KeptLines(Array((lines.joined(separator: "\n") + "\n").utf8))
      #expect(read.damage?.line == from + 1)
      #expect(read.damage?.detail == "Format 2 is not known here.")
      #expect(read.kept.identity == SimulatedServer.identity)
      // What the log brought in these lines is not in the state.
      let own = Self.states.last?.own.all.map { edit in
        let isBefore = from > 0 && Self.states[from - 1].own[edit.id] == edit
        guard case .recorded = edit.standing, !isBefore else { return edit }
        return OwnEdit(edit.proposed, standing: .acknowledged)
      }
      #expect(read.kept.own.all == own)
      #expect(read.kept.cursor == (from == 0 ? nil : Self.states[from - 1].cursor))
    }
  }

  @Test func `that began anew after a damage is whole again`() {
    var delta = Replica.Delta()
    delta.restart = SimulatedServer.identity
    var lines = Self.lines
    lines[1] = "damaged"
    lines.append(String(decoding: delta.line, as: UTF8.self))
    let read = Replica.KeptLines(Array((lines.joined(separator: "\n") + "\n").utf8))
    #expect(read.damage?.line == 2)
    #expect(read.kept.state == AccountState(calendar: SimulatedServer.identity.calendar))
    #expect(read.kept.cursor == nil && read.kept.own.count > 0)
  }

  // MARK: By messages

  @Test func `with a damage is put in order at the start, and nothing is lost at the server`() {
    for damaged in 0..<Self.lines.count {
      var shell = TestShell()
      shell.start()
      shell.edit(TestEdit.add(1), TestEdit.turnOn(2), TestEdit.bump(3))
      shell.snapshot = text(of: shell.ask("kept"))
      shell.changes = []
      shell.edit(TestEdit.undo(4, 3))
      shell.isOnline = false
      shell.edit(TestEdit.bump(5))
      shell.isOnline = true
      if damaged == 0 {
        shell.snapshot = "{}"
      } else {
        shell.changes[damaged % shell.changes.count] = "{"
      }
      shell.restart()
      #expect(shell.snapshot.hasPrefix("{\"format\":1,\"identity\":"))
      #expect(shell.engine.replica.kept.state == shell.server.state)
      shell.restart()
      let read = shell.transcript.compactMap { try? JSONDocument(parsing: $0.answer).root["read"] }
      #expect(read.count == 3 && read[1]["damage"] != nil && read[2]["damage"] == nil)
    }
  }

  @Test func `may be a snapshot at any time`() {
    var shell = TestShell()
    shell.start()
    shell.edit(TestEdit.add(1), TestEdit.turnOn(2), TestEdit.bump(3), TestEdit.undo(4, 3))
    let before = shell.engine.replica.kept
    shell.snapshot = text(of: shell.ask("kept"))
    shell.changes = []
    shell.restart()
    #expect(shell.engine.replica.kept == before)
    // What it takes back is found among the entries.
    shell.edit(TestEdit.undo(5, 4))
    #expect(shell.server.log.count == 5)
    #expect(shell.engine.replica.kept.state == shell.server.state)
  }
}

extension RecordedEdit {
  /// The same edit at a later version.
  fileprivate func moved(by count: Int) -> RecordedEdit {
    known(
      RecordedEdit(
        version: Version(version.number + count), id: id, at: at, recordedAt: recordedAt,
        device: device, edit: edit, day: day, undone: undone, reversal: { _ in self.reversal }),
      "a recorded edit")
  }
}
