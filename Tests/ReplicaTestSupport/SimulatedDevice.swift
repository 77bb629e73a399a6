import GoalsCore
import GoalsReplica

/// A device around a replica: its disk, its clock, and what it told its person.
package struct SimulatedDevice {
  package let name: String
  /// The milliseconds by which its clock is ahead.
  package var skew: Int64
  package var replica = Replica()
  /// Counts its starts. What was begun before a kill reaches nobody.
  package var life = 0
  package var alarm: Instant?
  /// What is durable.
  package var disk = Replica.Kept()
  package var diskLog: [RecordedEdit] = []
  /// The writes that were ordered and are not durable yet, first to last.
  package var writes: [Write] = []
  /// Whether the last write failed.
  package var isBroken = false
  /// The edits of the log as the device would find them by id.
  package var rows = RecordedEdits()
  /// The version up to which it was sent the log by itself; nil where it follows nothing.
  package var followed: Int?
  /// The edits that the device promised to keep, and those of which it told what became.
  package var promised: Set<Edit.ID> = []
  package var told: Set<Edit.ID> = []

  package struct Write {
    package let number: Int
    package let delta: Replica.Delta
  }

  package init(_ name: String, skew: Int64) {
    self.name = name
    self.skew = skew
  }

  /// The recorded edits that an event needs.
  package func known(for kind: Replica.Event.Kind) -> RecordedEdits {
    let edits = replica.lookUps(for: kind).compactMap { rows[$0] }
    let roots = Set(edits.map(\.root))
    let chains = roots.reduce(into: [:]) { $0[$1] = rows.chain(from: $1) }
    return RecordedEdits(edits, chains: chains)
  }

  package mutating func order(_ write: Write) {
    writes.append(write)
    let delta = write.delta
    if delta.restart != nil { rows = RecordedEdits() }
    for edit in delta.recorded { rows.record(edit) }
    // An edit that the server found to change nothing is forgotten without a word.
    told.formUnion(delta.forgotten)
  }

  /// Makes the first write durable, or fails to; after a failure, all that wait at once. Answers
  /// with the event.
  package mutating func write(fails: Bool) -> Replica.Event.Kind {
    let next = isBroken ? writes : [writes[0]]
    isBroken = fails
    guard !fails else { return .notKept(next[next.count - 1].number) }
    for write in next {
      if write.delta.restart != nil { diskLog = [] }
      diskLog += write.delta.recorded
      disk.apply(write.delta)
    }
    writes.removeFirst(next.count)
    promised.formUnion(disk.own.all.map(\.id))
    return .kept(next[next.count - 1].number)
  }

  /// Ends the process. What is not durable is gone.
  package mutating func kill() {
    replica = Replica()
    life += 1
    alarm = nil
    writes = []
    isBroken = false
    followed = nil
    rows = RecordedEdits()
    for edit in diskLog { rows.record(edit) }
  }

  package mutating func hear(_ notice: Replica.Notice) {
    switch notice {
    case .rejected(let edit, _, _): told.insert(edit.id)
    case .unchanged(let ids), .notKept(let ids): told.formUnion(ids)
    case .restored, .signInNeeded, .otherAccount, .readOnly, .accountFull, .clockIsOff,
      .newerServer, .notUnderstood:
      break
    }
  }
}
