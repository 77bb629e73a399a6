import GoalsCore
import GoalsWire
import JSON
import Migrations
import PostgreSQL

/// What a round records, as `Migrations/postgresql/round.sql` takes it.
struct Round {
  /// Where an account has to stand, and where the round leads it.
  struct Head {
    let account: Account.ID
    let expected: Version
    let before: Chain
    let seal: BookSeal
    let version: Version
    let chain: Chain
    let logBytes: Int
    /// Whether an edit names the account's time zone.
    let namesZone: Bool
  }

  private struct Slot {
    let account: Account.ID
    let number: Int
  }

  private var edits: [(account: Account.ID, row: LogRow)] = []
  private(set) var heads: [Head] = []
  private var undoChains: [(account: Account.ID, chain: UndoRow)] = []
  private var lists: [(account: Account.ID, state: AccountState)] = []
  private var goals: [(slot: Slot, goal: TrackedGoal, timelines: [UInt8])] = []
  private var days: [(slot: Slot, counted: DayCounts.DayCount)] = []
  private var clearedDays: [(slot: Slot, day: Day)] = []
  private var notes: [(slot: Slot, note: TrackedGoal.KeptNote)] = []
  private var erasedNotes: [(slot: Slot, bump: Version)] = []

  /// How it is made sure that an account still stands where it was when its edits were decided.
  enum Form: CaseIterable {
    /// The accounts' rows are locked first, in order.
    case locking
    /// By the update itself: for Citus, which locks no rows of many accounts. Two rounds may be in
    /// each other's way, and one is tried again.
    case updating

    var query: Query {
      switch self {
      case .locking: Self.locked
      case .updating: Self.unlocked
      }
    }

    private static let locked = Query("record a round", Migration.postgreSQLRound)
    /// With this an account is overtaken, too, whose row another transaction holds.
    static let passing = Query(
      "record a round of what is free",
      Migration.postgreSQLRound.replacing("UPDATE OF a --", with: "UPDATE OF a SKIP LOCKED --"))
    private static let unlocked = Query(
      "record a round without locks",
      Migration.postgreSQLRound.split(separator: "\n").filter { !$0.hasSuffix("-- locked") }
        .joined(separator: "\n"))
  }

  mutating func add(_ head: Head) { heads.append(head) }

  mutating func add(_ row: LogRow, of account: Account.ID) { edits.append((account, row)) }

  /// - Parameter chain: it is undone where the round takes it back or forth an odd number of times.
  mutating func add(_ chain: UndoRow, of account: Account.ID) {
    undoChains.append((account, chain))
  }

  /// Takes the rows of a snapshot that changed, as they are in a state.
  mutating func add(_ footprint: Footprint, of state: AccountState, in account: Account.ID) {
    if footprint.account { lists.append((account, state)) }
    for id in footprint.goals {
      guard let (slot, goal) = state.tracked(id) else { continue }
      var timelines = JSONWriter()
      timelines.value(Timelines(of: goal))
      goals.append((Slot(account: account, number: slot), goal, timelines.bytes))
    }
    for key in footprint.days {
      guard let (number, goal) = state.tracked(key.goal) else { continue }
      let slot = Slot(account: account, number: number)
      let counted = goal.days[key.day]
      if counted.count == 0 && !counted.isExcused {
        clearedDays.append((slot, key.day))
      } else {
        days.append((slot, counted))
      }
    }
    for key in footprint.notes {
      guard let (number, goal) = state.tracked(key.goal) else { continue }
      let slot = Slot(account: account, number: number)
      if let note = goal.notes[key.bump] {
        notes.append((slot, note))
      } else {
        erasedNotes.append((slot, key.bump))
      }
    }
  }

  // MARK: Parameters

  /// One column after the other, in the order of the statement.
  var parameters: Parameters {
    Parameters { all in
      addLog(to: &all)
      addGoals(to: &all)
      addDays(to: &all)
      addNotes(to: &all)
      all.add(.bool, of: heads) { $0.add($1.namesZone) }
    }
  }

  private func addLog(to all: inout Parameters) {
    all.add(.uuid, of: edits) { $0.add($1.account) }
    all.add(.bigint, of: edits) { $0.add($1.row.entry.version) }
    all.add(.uuid, of: edits) { $0.add($1.row.entry.id) }
    all.add(.text, of: edits) { $0.add(text: $1.row.entry.payload.span) }
    all.add(.text, of: edits) { $0.add($1.row.inverse) { $0.add(text: $1.span) } }
    all.add(.bytea, of: edits) { $0.add($1.row.entry.chain) }
    all.add(smallint: Int16(ChainMaker.payloadFormat))
    all.add(.uuid, of: heads) { $0.add($1.account) }
    all.add(.bigint, of: heads) { $0.add($1.expected) }
    all.add(.bytea, of: heads) { $0.add($1.before) }
    all.add(.bytea, of: heads) { $0.add(bytea: $1.seal.bytes.span) }
    all.add(.bigint, of: heads) { $0.add($1.version) }
    all.add(.bytea, of: heads) { $0.add($1.chain) }
    all.add(.bigint, of: heads) { $0.add(Int64($1.logBytes)) }
    all.add(.uuid, of: undoChains) { $0.add($1.account) }
    all.add(.bigint, of: undoChains) { $0.add($1.chain.root) }
    all.add(.bigint, of: undoChains) { $0.add($1.chain.latest) }
    all.add(.bool, of: undoChains) { $0.add($1.chain.isUndone) }
  }

  private func addGoals(to all: inout Parameters) {
    all.add(.uuid, of: lists) { $0.add($1.account) }
    all.add(.text, of: lists) { $0.add($1.state.calendar.timeZone.text) }
    all.add(.smallint, of: lists) {
      $0.add(smallint: Int16($1.state.calendar.weekStart.isoNumber))
    }
    all.add(.smallint, of: lists) { $0.add(smallint: Int16($1.state.calendar.dayStart.minutes)) }
    all.add(.bytea, of: lists) { $0.add(bytea: SnapshotParts.list(of: $1.state.roster.order).span) }
    add(slots: goals.map(\.slot), to: &all)
    all.add(.uuid, of: goals) { $0.add($1.goal.goal.id) }
    all.add(.text, of: goals) { $0.add($1.goal.goal.title.text) }
    all.add(.text, of: goals) { $0.add($1.goal.goal.colour.description) }
    all.add(.text, of: goals) { $0.add($1.goal.goal.unit?.text) { $0.add($1) } }
    all.add(.text, of: goals) { $0.add(text: $1.timelines.span) }
  }

  private func addDays(to all: inout Parameters) {
    add(slots: days.map(\.slot), to: &all)
    all.add(.bigint, of: days) { $0.add(Int64($1.counted.day.number)) }
    all.add(.bigint, of: days) { $0.add(Int64($1.counted.count)) }
    all.add(.bool, of: days) { $0.add($1.counted.isExcused) }
    add(slots: clearedDays.map(\.slot), to: &all)
    all.add(.bigint, of: clearedDays) { $0.add(Int64($1.day.number)) }
  }

  private func addNotes(to all: inout Parameters) {
    add(slots: notes.map(\.slot), to: &all)
    all.add(.bigint, of: notes) { $0.add($1.note.version) }
    all.add(.bigint, of: notes) { $0.add(Int64($1.note.day.number)) }
    all.add(.bytea, of: notes) { $0.add(bytea: Array($1.note.note.text.utf8).span) }
    add(slots: erasedNotes.map(\.slot), to: &all)
    all.add(.bigint, of: erasedNotes) { $0.add($1.bump) }
  }

  private func add(slots: [Slot], to all: inout Parameters) {
    all.add(.uuid, of: slots) { $0.add($1.account) }
    all.add(.bigint, of: slots) { $0.add(Int64($1.number)) }
  }
}
