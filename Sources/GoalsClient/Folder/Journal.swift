import GoalsCore
import GoalsEngine
import GoalsReplica

/// The file of changes: a line each, with a checksum, in order, and never another byte before its
/// end.
///
/// A line is durable before the next one is begun, so a crash can only leave a part of the last
/// one, which nobody was told of. The recorded edits in it are all that the log has, and so an undo
/// finds here what it takes back.
struct Journal {
  /// What of the journal counts, in bytes.
  struct Extent: Hashable {
    /// The bytes before it were read, and are durable.
    var end = 0
    /// Where the log begins. What is before it is of a log that a restore ended.
    var beginning = 0
  }

  private let file: Descriptor
  private(set) var extent: Extent
  /// The changes that could not be written, as one. It becomes durable with the next one, or not at
  /// all.
  private var owed = Replica.Delta()

  /// Whether every change is durable.
  var isComplete: Bool { owed.isEmpty }

  /// Goes on at the end of an extent.
  init(_ file: Descriptor, at extent: Extent) {
    self.file = file
    self.extent = extent
  }

  // MARK: Writing

  /// Makes a change durable, with those that could not be written before: all or none. An error is
  /// uncertain if the next process may read the line.
  mutating func append(_ delta: Replica.Delta) throws(FileError) {
    owed = owed.followed(by: delta)
    // The bytes that a failed attempt has left are no part of the file. After a failed fsync nobody
    // knows which of them are on the disk.
    try mend()
    let line = CheckedLine.bytes(of: owed.line)
    do throws(FileError) {
      try file.write(line, at: extent.end)
      try file.synchronize()
    } catch {
      let isCutOff = (try? file.truncate(to: extent.end)) != nil
      throw isCutOff ? error : error.uncertain
    }
    if owed.restart != nil { extent.beginning = extent.end }
    extent.end += line.count
    owed = Replica.Delta()
  }

  /// Cuts off what was begun and is not whole.
  private func mend() throws(FileError) {
    guard try file.length() != extent.end else { return }
    try file.truncate(to: extent.end)
    try file.synchronize()
  }

  // MARK: Reading

  /// Whole lines, each with its end and without its checksum.
  struct Lines {
    var bytes: [UInt8] = []
    var count = 0
    /// The numbers of those that are not as they were written, from 1.
    var altered: [Int] = []
  }

  /// Reads the whole lines behind the extent, which has them then. The first line of the result is
  /// the snapshot, or an empty line.
  mutating func readOn(after snapshot: [UInt8] = []) throws(FileError) -> Lines {
    var lines = Lines(bytes: snapshot + [UInt8(ascii: "\n")], count: 1)
    var extent = extent
    func take(_ line: [UInt8]) {
      let checked = CheckedLine(line)
      if !checked.isIntact, let next = Self.next(in: line) {
        take(Array(line[..<(next - 1)]))
        return take(Array(line[next...]))
      }
      if checked.text.starts(with: Self.restart) { extent.beginning = extent.end }
      extent.end += line.count + 1
      lines.bytes += checked.text
      lines.bytes.append(UInt8(ascii: "\n"))
      lines.count += 1
      if !checked.isIntact { lines.altered.append(lines.count) }
    }
    try eachLine(from: extent.end, take)
    self.extent = extent
    return lines
  }

  /// Where a second line begins within this one, because the line feed between them has become
  /// another byte. No text has the bytes of a beginning, because JSON escapes quotation marks in
  /// texts.
  private static func next(in line: [UInt8]) -> Int? {
    line.indices.dropFirst(2).first { line[$0...].starts(with: beginning) }
  }

  /// The edits of these ids, with their chains of undo and redo, as far as the log has them.
  func lookUp(_ ids: Set<Edit.ID>) throws(FileError) -> RecordedEdits {
    // The undos of every chain have to be looked at; of all other lines those with one of the ids.
    let words = ids.map { Array($0.description.utf8) } + [Array(#""undo""#.utf8)]
    var edits: [RecordedEdit] = []
    func take(_ delta: Replica.Delta) {
      edits += delta.recorded.filter { ids.contains($0.id) || $0.undone != nil }
    }
    try eachLine(from: extent.beginning) { line in
      guard words.contains(where: line.contains), case let checked = CheckedLine(line),
        checked.isIntact, let delta = Replica.Delta(line: checked.text)
      else { return }
      take(delta)
    }
    take(owed)
    let roots = Set(edits.filter { ids.contains($0.id) }.map(\.root))
    var recorded = RecordedEdits()
    for edit in edits where roots.contains(edit.root) || ids.contains(edit.id) {
      recorded.record(edit)
    }
    return recorded
  }

  /// How a line begins.
  private static let beginning = Array(#"{"format":"#.utf8)
  /// How a line begins with which the log begins anew.
  private static let restart = Array(#"{"format":1,"restart""#.utf8)
  /// So many bytes are read at a time.
  private static let piece = 1 << 18

  /// Calls `body` with each whole line, without its end.
  private func eachLine(from start: Int, _ body: ([UInt8]) -> Void) throws(FileError) {
    var rest: [UInt8] = []
    var offset = start
    while true {
      let piece = try file.read(offset..<offset + Self.piece)
      guard !piece.isEmpty else { return }
      offset += piece.count
      rest += piece
      var begin = 0
      while let end = rest[begin...].firstIndex(of: UInt8(ascii: "\n")) {
        body(Array(rest[begin..<end]))
        begin = end + 1
      }
      rest.removeFirst(begin)
    }
  }
}

extension Replica.Delta {
  /// Both changes as one.
  func followed(by next: Replica.Delta) -> Replica.Delta {
    guard !isEmpty else { return next }
    var both = self
    if next.restart != nil {
      both.restart = next.restart
      both.recorded = []
      both.cursor = nil
      both.more = false
    }
    both.recorded += next.recorded
    if next.cursor != nil {
      both.cursor = next.cursor
      both.more = next.more
    }
    both.own = both.own.filter { !forgotten.contains($0.id) } + next.own
    both.forgotten.subtract(next.own.map(\.id))
    both.forgotten.formUnion(next.forgotten)
    return both
  }
}

extension [UInt8] {
  /// Whether these bytes are somewhere in it.
  fileprivate func contains(_ word: [UInt8]) -> Bool {
    guard let first = word.first, count >= word.count else { return false }
    return withUnsafeBufferPointer { all in
      var rest = all[...(count - word.count)]
      while let found = rest.firstIndex(of: first) {
        if all[found..<found + word.count].elementsEqual(word) { return true }
        rest = rest[(found + 1)...]
      }
      return false
    }
  }
}
