/// The notes of a goal that stand, in log order.
public struct KeptNotes: Hashable, Sendable {
  private var chunks = SortedChunks<TrackedGoal.KeptNote>()

  /// No notes yet.
  public init() {}

  /// These notes; of several of one version the last counts.
  public init(_ notes: some Sequence<TrackedGoal.KeptNote>) {
    for note in notes { chunks.set(note, at: note.index) }
  }

  /// How many notes there are.
  public var count: Int { chunks.count }

  /// The notes, in log order.
  public var all: [TrackedGoal.KeptNote] { chunks.all }

  /// The note of the bump with this version.
  public subscript(version: Version) -> TrackedGoal.KeptNote? { chunks[version.number] }

  /// Keeps a note for the bump of this version; nil removes that bump's note.
  mutating func set(_ note: Note?, on day: Day, version: Version) {
    let kept = note.map { TrackedGoal.KeptNote(version: version, day: day, note: $0) }
    chunks.set(kept, at: version.number)
  }
}

extension TrackedGoal.KeptNote: Indexed {
  var index: Int { version.number }
}
