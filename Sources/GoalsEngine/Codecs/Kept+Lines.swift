import GoalsCore
import GoalsReplica
import GoalsWire
import JSON

extension Replica {
  /// What a device kept, as far as it can be read.
  public struct KeptLines: Sendable {
    public private(set) var kept = Kept()
    /// How many lines there are, the snapshot's and empty ones included.
    public private(set) var lines = 0
    /// Whether the last line breaks off. It was never kept, and is passed over.
    public private(set) var breaksOff = false
    /// The first line that can't be read.
    public private(set) var damage: Damage?
    /// Whether the state has come as far as the lines.
    private var isWhole = true
    /// The numbers of the lines that are not as they were written.
    private let altered: [Int]

    /// A line that can't be read. The state is that before it, or empty where it is the snapshot,
    /// and the log is read on from there. The own edits of the lines after it are read all the
    /// same.
    public struct Damage: Hashable, Sendable {
      /// The number of the line, from 1.
      public let line: Int
      /// A sentence for a person.
      public let detail: String
    }

    /// Whether everything could be read. Where it could not, the shell puts `kept.line` in place of
    /// all that it keeps, before it keeps a change.
    public var isClean: Bool { damage == nil && !breaksOff }

    /// Reads lines: a snapshot, or an empty line where there is none, and the changes after it,
    /// each with a line feed at its end. Of those that are known to be altered nothing is believed.
    public init(_ bytes: some Collection<UInt8>, altered: [Int] = []) {
      self.altered = altered
      var rest = bytes[...]
      while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
        take(Array(rest[..<end]), isEnded: true)
        rest = rest[rest.index(after: end)...]
      }
      if !rest.isEmpty { take(Array(rest), isEnded: false) }
    }

    private mutating func take(_ line: [UInt8], isEnded: Bool) {
      lines += 1
      if line.isEmpty { return }
      if altered.contains(lines) { return note("This is not as it was written.") }
      let root: JSONValue
      do throws(JSONError) {
        root = try JSONDocument(parsing: line).root
      } catch {
        if isEnded { note("\(error.description)") } else { breaksOff = true }
        return
      }
      if lines == 1 {
        if let snapshot = Kept(root) { kept = snapshot } else { salvage(root) }
      } else if let delta = Delta(root), take(delta) {
        return
      } else {
        salvage(root)
      }
    }

    /// Answers whether the change goes on from what was read before it.
    private mutating func take(_ delta: Delta) -> Bool {
      if delta.restart != nil { isWhole = true }
      guard isWhole else {
        takeOwn(delta.own, forgotten: delta.forgotten)
        return true
      }
      var version = delta.restart == nil ? kept.state.version : .none
      for edit in delta.recorded {
        guard edit.version == version.next else { return false }
        version = edit.version
      }
      kept.apply(delta)
      return true
    }

    /// Takes the own edits of a line that can't be read otherwise, and whose they are.
    private mutating func salvage(_ value: JSONValue) {
      var object = ObjectReader(value)
      let format = object.take("format")?.number?.integer
      if let format, format != keptFormat {
        note("Format \(format) is not known here.")
      } else {
        note(lines == 1 ? "This is no snapshot." : "This does not go on from the lines before it.")
      }
      if let value = object.take("identity") ?? object.take("restart"),
        let identity = Identity(salvaging: value)
      {
        kept = Kept(
          identity: identity, state: AccountState(calendar: identity.calendar), cursor: nil,
          own: kept.own)
      }
      let own = object.take("own")?.elements.map { Array($0) } ?? []
      let forgotten = object.take("forgotten")?.elements.map { Array($0) } ?? []
      takeOwn(
        own.compactMap { OwnEdit(salvaging: $0) },
        forgotten: Set(forgotten.compactMap { Reading<Edit.ID>.id().read($0) }))
    }

    /// What the log brought in these lines is not in the state.
    private mutating func takeOwn(_ own: [OwnEdit], forgotten: Set<Edit.ID>) {
      var delta = Delta()
      delta.own = own.map { edit in
        guard case .recorded = edit.standing else { return edit }
        return OwnEdit(
          edit.proposed, standing: .acknowledged, retriedUntil: edit.retriedUntil,
          isCorrected: edit.isCorrected)
      }
      delta.forgotten = forgotten
      kept.apply(delta)
    }

    private mutating func note(_ detail: String) {
      isWhole = false
      if damage == nil { damage = Damage(line: lines, detail: detail) }
    }
  }
}
