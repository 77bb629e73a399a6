import GoalsCore

/// An edit that a person made on this device.
public struct OwnEdit: Hashable, Sendable {
  /// How far the edit has come.
  public enum Standing: Hashable, Sendable {
    /// It waits to be sent, or for the outcome.
    case due
    /// The server says that it is recorded. The log has not brought it yet.
    case acknowledged
    /// The log has brought it; this device learned so at that moment. A restore may lose it again.
    case recorded(Instant)
    /// The server did not record it, and the person has yet to see why.
    case rejected(Rejection)
  }

  /// The edit as it is sent; its `at` is never nil.
  public internal(set) var proposed: ProposedEdit
  /// How far the edit has come.
  public internal(set) var standing: Standing
  /// Until when the edit is sent again where it is rejected. It was recorded before a restore, or
  /// waited when the restore was noticed. It may need an edit that another device has yet to bring
  /// back.
  public internal(set) var retriedUntil: Instant?
  /// Whether its `at` was corrected because the device's clock was wrong.
  public internal(set) var isCorrected: Bool

  /// An edit that a person has made, or one as it was kept.
  public init(
    _ proposed: ProposedEdit, standing: Standing = .due, retriedUntil: Instant? = nil,
    isCorrected: Bool = false
  ) {
    self.proposed = proposed
    self.standing = standing
    self.retriedUntil = retriedUntil
    self.isCorrected = isCorrected
  }

  /// The id that this device gave the edit.
  public var id: Edit.ID { proposed.id }

  /// Whether the log has yet to bring the edit, and may.
  public var isPending: Bool {
    switch standing {
    case .due, .acknowledged: true
    case .recorded, .rejected: false
    }
  }
}

/// The edits of this device, in the order in which the person made them.
public struct OwnEdits: Hashable, Sendable {
  /// Nil where an edit was removed.
  private var slots: [OwnEdit?] = []
  private var indices: [Edit.ID: Int] = [:]

  /// No edits yet.
  public init() {}

  /// How many edits there are.
  public var count: Int { indices.count }

  /// The edits, first to last.
  public var all: [OwnEdit] { slots.compactMap { $0 } }

  /// The edit of this id; nil where it is none of this device.
  public subscript(id: Edit.ID) -> OwnEdit? { indices[id].flatMap { slots[$0] } }

  /// Adds an edit at the end, or gives the edit of this id its new standing.
  public mutating func put(_ edit: OwnEdit) {
    if let index = indices[edit.id] {
      slots[index] = edit
    } else {
      indices[edit.id] = slots.count
      slots.append(edit)
    }
  }

  /// Removes the edits of these ids; one that is not there is removed already.
  public mutating func remove(_ ids: some Sequence<Edit.ID>) {
    for id in ids {
      guard let index = indices.removeValue(forKey: id) else { continue }
      slots[index] = nil
    }
    guard slots.count > 2 * indices.count + 16 else { return }
    slots.removeAll { $0 == nil }
    for (index, edit) in slots.enumerated() {
      if let edit { indices[edit.id] = index }
    }
  }

  /// Two are equal where they have the same edits in the same order.
  public static func == (left: OwnEdits, right: OwnEdits) -> Bool { left.all == right.all }

  public func hash(into hasher: inout Hasher) { hasher.combine(all) }
}
