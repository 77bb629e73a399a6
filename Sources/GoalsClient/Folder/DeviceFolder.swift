import Foundation
import GoalsCore
import GoalsEngine
import GoalsReplica
import Synchronization

/// The folder in which a device keeps one account.
///
///     lock      locked by the one process that sends, reads the log and writes the journal
///     journal   the changes, a line each
///     snapshot  what a first part of the journal came to
///     inbox/    changes that other processes made: a file each
///     wake      a pipe, on which they say so
///     zones/    time zones that the server sent
///     clock     how far the device's clock is off, where it is
///     guesses   the edits that were dated while nobody knew how far, and are not sent
///     damage    is there until a person was told that a file was damaged: its name
///     journal.damaged, inbox.damaged.*  such a file, as it was found
///
/// Several processes of a person may have the folder open: a `watch` in one terminal and a `bump`
/// in another, an app and its widget. One of them **leads**. The others read what it kept, and
/// leave their changes in the inbox, durably. The leader makes them its own, in their order; if it
/// is gone, the next leader does. Edits have ids, so one that is taken twice counts once.
final class DeviceFolder: Sendable {
  private struct Open {
    var lock: Descriptor?
    var journal: Journal?
    /// Where the snapshot was made, and how long it is.
    var snapshot = Journal.Extent()
    var snapshotLength = 0
  }

  let path: String
  private let open = Mutex(Open())

  /// Makes the folder where there is none, for the person's own account only.
  init(_ path: String) throws(FileError) {
    self.path = path
    for folder in [path, path + "/inbox", path + "/zones"] { try WholeFile.makeFolder(folder) }
    let wake = path + "/wake"
    guard mkfifo(wake, 0o600) == 0 || errno == EEXIST else { throw .last("make", wake) }
  }

  private var journal: String { path + "/journal" }
  private var snapshot: String { path + "/snapshot" }

  var leads: Bool { open.withLock { $0.lock != nil } }

  /// Tries to lead.
  func lead() throws(FileError) -> Bool {
    let lock = try Descriptor(opening: path + "/lock", O_RDWR | O_CREAT)
    guard lock.lock() else { return false }
    open.withLock { $0.lock = lock }
    sweep()
    return true
  }

  func close() { open.withLock { $0 = Open() } }

  // MARK: Reading

  /// What is kept. Where the log has to be read anew, `earlier` is an older state to show
  /// meanwhile.
  struct Found {
    var kept = Replica.Kept()
    var earlier: AccountState?
  }

  /// Finds what is kept. The leader mends what a crash or a disk has damaged.
  func load() throws(FileError) -> Found {
    try open.withLock { open throws(FileError) in
      let leads = open.lock != nil
      let file: Descriptor
      do throws(FileError) {
        file = try Descriptor(opening: journal, leads ? O_RDWR | O_CREAT : O_RDONLY)
      } catch {
        guard error.errno == ENOENT else { throw error }
        return Found()
      }
      if leads { try WholeFile.synchronizeFolder(of: journal) }
      let snapshot = try WholeFile.read(snapshot).flatMap(Snapshot.init)
      if let (kept, read) = try Self.kept(in: file, after: snapshot) {
        open.journal = read
        open.snapshot = snapshot?.extent ?? Journal.Extent()
        open.snapshotLength = snapshot?.line.count ?? 0
        return Found(kept: kept, earlier: kept.isWhole ? nil : snapshot?.kept?.state)
      }
      let salvaged = try Self.salvaged(file, snapshot)
      let kept = Replica.Kept(
        identity: salvaged.identity,
        state: AccountState(calendar: salvaged.identity?.calendar ?? .initial), cursor: nil,
        own: salvaged.own)
      if leads {
        open.journal = try replaceJournal(with: kept, showing: salvaged)
        open.snapshot = Journal.Extent()
        open.snapshotLength = 0
      }
      return Found(kept: kept, earlier: salvaged.state)
    }
  }

  /// Nil where something can't be read.
  private static func kept(
    in file: Descriptor, after snapshot: Snapshot?
  ) throws(FileError) -> (Replica.Kept, Journal)? {
    if let snapshot, try snapshot.extent.end <= file.length() {
      var journal = Journal(file, at: snapshot.extent)
      let lines = Replica.KeptLines(try journal.readOn(after: snapshot.line))
      if lines.isClean { return (lines.kept, journal) }
    }
    // All of it is in the journal. A snapshot only spares reading it.
    var journal = Journal(file, at: Journal.Extent())
    let lines = Replica.KeptLines(try journal.readOn())
    let isWhole = snapshot.map { journal.extent.end >= $0.extent.end } ?? true
    return lines.isClean && isWhole ? (lines.kept, journal) : nil
  }

  /// What can be read of a damaged journal and of its snapshot: the state before the damage, and
  /// the own edits behind it, too.
  private static func salvaged(
    _ file: Descriptor, _ snapshot: Snapshot?
  ) throws(FileError) -> Replica.Kept {
    if let snapshot, let alone = snapshot.kept {
      var journal = Journal(file, at: snapshot.extent)
      guard try snapshot.extent.end <= file.length() else { return alone }
      let kept = Replica.KeptLines(try journal.readOn(after: snapshot.line)).kept
      guard !kept.isWhole else { return kept }
      return Replica.Kept(
        identity: kept.identity, state: alone.state, cursor: alone.cursor, own: kept.own)
    }
    var journal = Journal(file, at: Journal.Extent())
    return Replica.KeptLines(try journal.readOn()).kept
  }

  /// Begins a new journal, and has the log read anew: the damaged journal may lack what an undo
  /// needs. The damaged journal stays beside the new one, so that a person can look at it.
  ///
  /// - Parameter salvaged: what is shown until the log was read.
  private func replaceJournal(
    with kept: Replica.Kept, showing salvaged: Replica.Kept
  ) throws(FileError) -> Journal {
    try WholeFile.remove(damaged)
    guard link(journal, damaged) == 0 else { throw .last("keep", journal) }
    try noteDamage("journal.damaged")
    var delta = Replica.Delta()
    delta.restart = kept.identity
    delta.own = kept.own.all
    let line = delta.isEmpty ? [] : CheckedLine.bytes(of: delta.line)
    // A crash before the next line leaves a journal that is mended in the same way.
    let shown = Snapshot(extent: Journal.Extent(), line: salvaged.line)
    try WholeFile.replace(snapshot, with: shown.bytes)
    try WholeFile.replace(journal, with: line)
    var new = Journal(try Descriptor(opening: journal, O_RDWR), at: Journal.Extent())
    _ = try new.readOn()
    return new
  }

  /// The file that was damaged, where no person was told of it yet.
  var untoldDamage: String? {
    guard let name = try? WholeFile.read(damage) else { return nil }
    // A note without a name is from a version that looked at the journal alone.
    return name.isEmpty ? damaged : "\(path)/\(String(decoding: name, as: UTF8.self))"
  }

  /// Puts a file that was damaged where nobody uses it, and where a person finds it.
  func putAside(_ name: String, as new: String) throws(FileError) {
    try noteDamage(new)
    guard rename("\(path)/\(name)", "\(path)/\(new)") == 0 else { throw .last("rename", name) }
    try WholeFile.synchronizeFolder(of: damage)
  }

  private func noteDamage(_ name: String) throws(FileError) {
    try WholeFile.replace(damage, with: Array(name.utf8))
  }

  /// A person was told.
  func forgetDamage() throws(FileError) { try WholeFile.remove(damage) }

  private var damage: String { path + "/damage" }
  private var damaged: String { journal + ".damaged" }

  /// The edits of these ids that were read of the log.
  func lookUp(_ ids: [Edit.ID]) -> RecordedEdits {
    guard !ids.isEmpty else { return RecordedEdits() }
    // NB: without what can't be read, an undo is judged as one of an unknown edit.
    return open.withLock { try? $0.journal?.lookUp(Set(ids)) } ?? RecordedEdits()
  }

  // MARK: Writing

  /// Makes a change durable: the leader in the journal, any other process in the inbox.
  ///
  /// - Parameter name: of the file in the inbox. Names sort by the time of the change.
  func keep(_ delta: Replica.Delta, named name: String) throws(FileError) {
    let isKept = try open.withLock { open throws(FileError) in
      guard open.lock != nil else { return false }
      guard try open.journal?.append(delta) != nil else {
        throw FileError(action: "write before reading", path: journal, errno: EBADF)
      }
      return true
    }
    if !isKept { try leave(delta, named: name) }
  }

  /// Writes a snapshot once the journal has grown by more bytes than the last snapshot has, and by
  /// more than `growth`.
  func shorten(_ kept: Replica.Kept) throws(FileError) {
    try open.withLock { open throws(FileError) in
      guard open.lock != nil, let journal = open.journal, journal.isComplete,
        journal.extent.end - open.snapshot.end > max(Self.growth, open.snapshotLength)
      else { return }
      let new = Snapshot(extent: journal.extent, line: kept.line)
      try WholeFile.replace(snapshot, with: new.bytes)
      open.snapshot = new.extent
      open.snapshotLength = new.line.count
    }
  }

  /// A start reads about so many bytes of the journal.
  private static let growth = 1 << 16
}

/// What a first part of the journal came to, so that a start need not read all of it. Two lines:
/// the part's extent with a checksum of all, then the kept.
struct Snapshot {
  let extent: Journal.Extent
  let line: [UInt8]

  init(extent: Journal.Extent, line: [UInt8]) {
    self.extent = extent
    self.line = line
  }

  /// Nil where the bytes are none.
  init?(bytes: [UInt8]) {
    guard let end = bytes.firstIndex(of: UInt8(ascii: "\n")) else { return nil }
    let words = String(decoding: bytes[..<end], as: UTF8.self).split(separator: " ")
    guard 2...3 ~= words.count, let journal = Int(words[0]), let beginning = Int(words[1]),
      0 <= beginning, beginning <= journal
    else { return nil }
    extent = Journal.Extent(end: journal, beginning: beginning)
    line = Array(bytes[(end + 1)...])
    // One without a checksum is from before there were any.
    guard words.count == 2 || words[2] == "\(sum)" else { return nil }
  }

  var bytes: [UInt8] { Array("\(extent.end) \(extent.beginning) \(sum)\n".utf8) + line }

  private var sum: UInt32 {
    CheckedLine.sum(of: Array("\(extent.end) \(extent.beginning) ".utf8) + line)
  }

  /// What it has; nil where it can't be read.
  var kept: Replica.Kept? {
    let lines = Replica.KeptLines(line + [UInt8(ascii: "\n")])
    return lines.isClean ? lines.kept : nil
  }
}

extension Replica.KeptLines {
  /// Reads lines of a journal.
  fileprivate init(_ lines: Journal.Lines) { self.init(lines.bytes, altered: lines.altered) }
}
