import GoalsCore
import JSON

/// The data that undoing an edit needs, as the log keeps it beside the payload. It is short where
/// recorded edits imply the rest.
package enum KeptInverse: Hashable, Sendable, JSONWritable {
  case whole(Inverse)
  /// For a `setActivity`: which of its goals it turned on or off, in the order of its payload.
  case turned([Bool])
  /// For an `undo`: it undoes or redoes the edit at the start of its chain, with the effect and the
  /// reversal of `RecordedEdit.mirrored(isUndone:)`.
  case mirrored(root: Version, isUndone: Bool)

  /// - Parameter root: for an `undo`, the edit at the start of its chain; without it, an `undo` is
  ///   kept whole.
  package init(of edit: RecordedEdit, root: RecordedEdit? = nil) {
    self = .whole(Inverse(of: edit))
    if case .goal(.setActivity(.keyed(let activity))) = edit.edit {
      let turned = Set(edit.reversal.effect.goals)
      let flags = activity.elements.map { turned.contains($0.goal) }
      if Reversal(turning: activity, flags) == edit.reversal { self = .turned(flags) }
    } else if let undone = edit.undone, let root, root.version == undone.root {
      for isUndone in [true, false]
      where (undone.effect, edit.reversal) == root.mirrored(isUndone: isUndone) {
        self = .mirrored(root: root.version, isUndone: isUndone)
      }
    }
  }

  package func write(to json: inout JSONWriter) {
    switch self {
    case .whole(let inverse): inverse.write(to: &json)
    case .turned(let flags): json.object { $0.member("turned", Self.digits(flags)) }
    case .mirrored(let root, let isUndone):
      json.object { json in
        json.member("mirrors", root)
        json.member("undone", isUndone)
      }
    }
  }

  /// Whether these bytes may be what `write` wrote of a `mirrored`.
  package static func mayMirror(_ bytes: [UInt8]) -> Bool {
    bytes.starts(with: "{\"mirrors\"".utf8)
  }

  /// Reads the output of `write`; nil for anything else.
  package init?(_ bytes: [UInt8]) {
    guard let document = try? JSONDocument(parsing: bytes) else { return nil }
    self.init(document.root)
  }

  /// Reads the same from a JSON value.
  package init?(_ value: JSONValue) {
    guard let first = value.members?.first(where: { _ in true })?.name else { return nil }
    var object = ObjectReader(value)
    if first == "turned" {
      guard let flags = object.take("turned")?.string.flatMap({ Self.flags(String($0)) }) else {
        return nil
      }
      self = .turned(flags)
    } else if first == "mirrors" {
      guard let root = object.required("mirrors", .version),
        let isUndone = object.required("undone", .flag)
      else { return nil }
      self = .mirrored(root: root, isUndone: isUndone)
    } else {
      guard let inverse = Inverse(value) else { return nil }
      self = .whole(inverse)
      return
    }
    guard object.finish().isEmpty else { return nil }
  }

  /// The recorded edit with this payload and this inverse; nil where the two don't fit.
  ///
  /// - Parameter root: returns the edit of a version, which must not be an `undo`.
  package func edit<Failure>(
    _ payload: RecordedPayload, root: (Version) throws(Failure) -> RecordedEdit?
  ) throws(Failure) -> RecordedEdit? {
    switch self {
    case .whole(let inverse):
      return payload.with(undone: inverse.undone, reversal: { _ in inverse.reversal })
    case .turned(let flags):
      guard case .goal(.setActivity(.keyed(let activity))) = payload.edit,
        let reversal = Reversal(turning: activity, flags)
      else { return nil }
      return payload.with(reversal: { _ in reversal })
    case .mirrored(let version, let isUndone):
      guard case .account(.undo) = payload.edit, version < payload.version,
        let root = try root(version), root.version == version, root.undone == nil
      else { return nil }
      let (effect, reversal) = root.mirrored(isUndone: isUndone)
      return payload.with(
        undone: RecordedEdit.Undone(root: version, effect: effect), reversal: { _ in reversal })
    }
  }

  // MARK: Flags

  /// Writes four flags as one digit, the first flag as its highest bit. Flags that are missing at
  /// the end count as false.
  private static func digits(_ flags: [Bool]) -> String {
    let digits = stride(from: 0, to: flags.count, by: 4).map { start in
      let digit = (start..<start + 4).reduce(0 as UInt8) {
        $0 << 1 | ($1 < flags.count && flags[$1] ? 1 : 0)
      }
      return hexadecimalDigit(for: digit)
    }
    return String(decoding: digits, as: UTF8.self)
  }

  private static func flags(_ digits: String) -> [Bool]? {
    var flags: [Bool] = []
    for letter in digits.utf8 {
      guard let digit = hexadecimalValue(of: letter) else { return nil }
      flags += [8, 4, 2, 1].map { digit & $0 != 0 }
    }
    return flags
  }
}
