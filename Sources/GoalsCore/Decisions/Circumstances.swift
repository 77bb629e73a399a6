/// The inputs of a judgement besides the state and the batch. The core asks for none of them
/// itself.
public struct Circumstances: Sendable {
  /// The server's present time.
  public let now: Instant
  /// The lookups of the account's time zone, and of the zones to which edits would move the
  /// account.
  public let zones: Zones
  /// The largest number of goals in a list.
  public let maximumGoals: Int
  /// Whether the account's log has its largest size, so that no more edits are recorded in it.
  public let isLogFull: Bool
  /// The edits of the log whose ids the batch names: its own edits, and the edits that it undoes.
  public internal(set) var recorded: RecordedEdits

  /// The circumstances at an instant, with the limits of a server where none are given.
  public init(
    now: Instant, zones: Zones, maximumGoals: Int = AccountState.maximumGoals,
    isLogFull: Bool = false, recorded: RecordedEdits = RecordedEdits()
  ) {
    self.now = now
    self.zones = zones
    self.maximumGoals = maximumGoals
    self.isLogFull = isLogFull
    self.recorded = recorded
  }
}

extension Batch {
  /// Looks up the time zones to which the batch's edits would move the account.
  public func addZones(to zones: inout Zones, by lookUp: (ZoneName) -> ZoneLookup) {
    for proposal in proposals {
      guard case .edit(let proposed) = proposal, let name = proposed.edit.namedZone else {
        continue
      }
      zones.add(name, by: lookUp)
    }
  }
}

extension Proposal {
  /// Whether the proposal may move the account to another time zone.
  var mayMoveZone: Bool {
    if case .edit(let proposed) = self, case .account = proposed.edit { true } else { false }
  }
}

/// Edits of one account's log by id, with the chains of undo and redo that begin at them.
public struct RecordedEdits: Hashable, Sendable {
  /// A chain of undo and redo, as it stands.
  public struct UndoChain: Hashable, Sendable {
    /// The last `undo` of the chain, the only one that can be undone.
    public let latest: Version
    /// Whether the edit at the chain's start is undone.
    public let isUndone: Bool
    /// The reversal of that last `undo`.
    public let reversal: Reversal

    /// A chain as it stands after its last `undo`.
    public init(latest: Version, isUndone: Bool, reversal: Reversal) {
      self.latest = latest
      self.isUndone = isUndone
      self.reversal = reversal
    }
  }

  var edits: [Edit.ID: RecordedEdit]
  /// The chains, by the version of the edit at their start.
  var chains: [Version: UndoChain]

  /// These edits; of several with one id the first counts.
  public init(_ edits: [RecordedEdit] = [], chains: [Version: UndoChain] = [:]) {
    self.edits = [:]
    self.chains = chains
    self.edits.reserveCapacity(edits.count)
    for edit in edits where self.edits[edit.id] == nil { self.edits[edit.id] = edit }
  }

  /// The edit of this id; nil where it is not among them.
  public subscript(id: Edit.ID) -> RecordedEdit? { edits[id] }

  /// The chain that begins at an edit; nil where the edit was never undone.
  public func chain(from root: Version) -> UndoChain? { chains[root] }

  /// The reversal of an edit: that of the last `undo` in its chain, or its own where there is none.
  func reversal(of edit: RecordedEdit) -> Reversal {
    chains[edit.root]?.reversal ?? edit.reversal
  }

  /// Looks up the time zones to which undoing these edits would return the account.
  func addZones(to zones: inout Zones, by lookUp: (ZoneName) -> ZoneLookup) {
    for edit in edits.values {
      guard case .configure(let changes) = reversal(of: edit).effect, let name = changes.timeZone
      else { continue }
      zones.add(name, by: lookUp)
    }
  }

  /// Adds an edit that is recorded.
  public mutating func record(_ edit: RecordedEdit) {
    edits[edit.id] = edit
    if let undone = edit.undone {
      let wasUndone = chains[undone.root]?.isUndone ?? false
      chains[undone.root] = UndoChain(
        latest: edit.version, isUndone: !wasUndone, reversal: edit.reversal)
    }
  }
}
