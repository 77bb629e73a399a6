import GoalsCore
import GoalsReplica
import GoalsWire
import JSON

/// An edit of the log as a device keeps it: what the server says of it, and what undoing it needs.
struct KeptEntry: JSONWritable {
  let edit: RecordedEdit

  /// Writes `{"id", "root", "edit", "inverse"}`. Of an `undo` alone, `root` is the version of the
  /// edit at the start of its chain: a device finds a chain by it. `inverse` is left out where the
  /// edit implies it.
  func write(to json: inout JSONWriter) {
    json.object { json in
      json.member("id", edit.id)
      if let undone = edit.undone { json.member("root", undone.root) }
      json.member("edit", edit)
      switch edit.edit {
      case .goal(.add), .progress: break
      case .goal, .account: json.member("inverse", KeptInverse(of: edit))
      }
    }
  }

  init(_ edit: RecordedEdit) { self.edit = edit }

  /// Reads the output of `write`; nil for anything else.
  init?(_ value: JSONValue) {
    var object = ObjectReader(value)
    guard let id = object.required("id", .id()) as Edit.ID?,
      let payload = object.take("edit").flatMap({ RecordedPayload($0) }), payload.id == id
    else { return nil }
    let root = object.optional("root", .version)
    let inverse = object.take("inverse")
    guard object.finish().isEmpty else { return nil }
    let edit: RecordedEdit? =
      if let inverse {
        KeptInverse(inverse)?.edit(payload) { _ in nil }
      } else {
        payload.impliedReversal.flatMap { reversal in payload.with { _ in reversal } }
      }
    guard let edit, edit.undone?.root == root else { return nil }
    self.init(edit)
  }
}

extension RecordedEdits {
  /// What a device found of the edits that were looked up, in any order.
  ///
  /// - Parameter entries: they include the chains of undo and redo, of which only their ends stay.
  init(of ids: [Edit.ID], found entries: [KeptEntry]) {
    var all = RecordedEdits()
    for entry in entries.sorted(by: { $0.edit.version < $1.edit.version }) {
      all.record(entry.edit)
    }
    let edits = ids.compactMap { all[$0] }
    var chains: [Version: UndoChain] = [:]
    for edit in edits { chains[edit.root] = all.chain(from: edit.root) }
    self.init(edits, chains: chains)
  }
}
