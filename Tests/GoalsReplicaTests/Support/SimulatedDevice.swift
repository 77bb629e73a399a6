import GoalsCore
import GoalsReplica

/// A device around a replica: its disk, its clock, and what it told its person.
struct SimulatedDevice {
  let name: String
  /// The milliseconds by which its clock is ahead.
  let skew: Int64
  var replica = Replica()
  /// Counts its starts. What was begun before a kill reaches nobody.
  var life = 0
  var alarm: Instant?
  /// What is durable.
  var disk = Replica.Kept()
  var diskLog: [RecordedEdit] = []
  /// What was ordered to be kept and is not durable yet, first to last.
  var writes: [Write] = []
  /// Whether the last write failed.
  var isBroken = false
  /// The edits of the log as the device would find them by id.
  var rows = RecordedEdits()
  /// The version up to which it was sent the log by itself; nil where it follows nothing.
  var followed: Int?
  /// The edits that the device promised to keep, and those of which it told what became.
  var promised: Set<Edit.ID> = []
  var told: Set<Edit.ID> = []

  struct Write {
    let number: Int
    let change: Replica.Change
  }

  init(_ name: String, skew: Int64) {
    self.name = name
    self.skew = skew
  }

  /// The recorded edits that an event needs.
  func known(for kind: Replica.Event.Kind) -> RecordedEdits {
    let edits = replica.lookUps(for: kind).compactMap { rows[$0] }
    let roots = Set(edits.map(\.root))
    let chains = roots.reduce(into: [:]) { $0[$1] = rows.chain(from: $1) }
    return RecordedEdits(edits, chains: chains)
  }

  mutating func order(_ write: Write) {
    writes.append(write)
    let change = write.change
    if change.restart != nil { rows = RecordedEdits() }
    for edit in change.recorded { rows.record(edit) }
    // An edit that the server found to change nothing is forgotten without a word.
    told.formUnion(change.forgotten)
  }

  /// Makes the first write durable, or fails to; after a failure, all that wait at once. Answers
  /// with the event.
  mutating func write(fails: Bool) -> Replica.Event.Kind {
    let next = isBroken ? writes : [writes[0]]
    isBroken = fails
    guard !fails else { return .notKept(next[next.count - 1].number) }
    for write in next {
      if write.change.restart != nil { diskLog = [] }
      diskLog += write.change.recorded
      disk.apply(write.change)
    }
    writes.removeFirst(next.count)
    promised.formUnion(disk.own.all.map(\.id))
    return .kept(next[next.count - 1].number)
  }

  /// Ends the process. What is not durable is gone.
  mutating func kill() {
    replica = Replica()
    life += 1
    alarm = nil
    writes = []
    isBroken = false
    followed = nil
    rows = RecordedEdits()
    for edit in diskLog { rows.record(edit) }
  }

  mutating func hear(_ notice: Replica.Notice) {
    switch notice {
    case .rejected(let edit, _, _): told.insert(edit.id)
    case .unchanged(let ids), .notKept(let ids): told.formUnion(ids)
    case .restored, .signInNeeded, .otherAccount, .readOnly, .accountFull, .clockIsOff,
      .newerServer, .notUnderstood:
      break
    }
  }
}
