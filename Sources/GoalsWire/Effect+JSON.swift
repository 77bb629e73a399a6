import GoalsCore
import JSON

/// The data that undoing an edit needs, as the log keeps it beside the payload.
package struct Inverse: Hashable, Sendable, JSONWritable {
  /// For an `undo`: the edit that it took back.
  package let undone: RecordedEdit.Undone?
  package let reversal: Reversal

  package init(of edit: RecordedEdit) {
    undone = edit.undone
    reversal = edit.reversal
  }

  package func write(to json: inout JSONWriter) {
    json.object { json in
      if let undone {
        json.member("root", undone.root)
        json.member("undone", undone.effect)
      }
      json.member("effect", reversal.effect)
      if let standing = reversal.standing { json.member("standing", standing) }
    }
  }

  /// Reads the output of `write`; nil for anything else.
  init?(_ value: JSONValue) {
    var object = ObjectReader(value)
    let root = object.optional("root", .version)
    let undone = object.optional("undone", .effect)
    let effect = object.required("effect", .effect)
    let standing = object.optional("standing", .effect)
    guard object.finish().isEmpty, let effect, (root == nil) == (undone == nil) else { return nil }
    if let root, let undone {
      self.undone = RecordedEdit.Undone(root: root, effect: undone)
    } else {
      self.undone = nil
    }
    reversal = Reversal(effect, standing: standing)
  }
}

extension Effect: JSONWritable {
  package func write(to json: inout JSONWriter) {
    json.object { json in
      switch self {
      case .insert(let goal):
        json.member("insert", goal)
      case .remove(let id):
        json.member("remove", id)
      case .restore(let id, let successor):
        json.member("restore", id)
        json.member("before", successor)
      case .alter(let id, let changes):
        json.member("alter", id)
        json.member("changes", changes)
      case .setActivity(let activity):
        json.member("turn", activity)
      case .move(let id, let successor):
        json.member("place", id)
        json.member("before", successor)
      case .count(let id, let day, let amount, let note, let version):
        json.member("count", id)
        json.member("day", day)
        json.member("by", amount)
        json.member("note", note)
        json.member("bump", version)
      case .excuse(let id, let day, let isExcused):
        json.member("excuse", id)
        json.member("day", day)
        json.member("excused", isExcused)
      case .configure(let changes):
        json.object("configure") { json in
          if let zone = changes.timeZone { json.member("timeZone", zone.text) }
          if let weekStart = changes.weekStart { json.member("weekStart", weekStart) }
          if let dayStart = changes.dayStart { json.member("dayStart", dayStart) }
        }
      }
    }
  }
}

extension Reading where Value == Effect {
  static var effect: Reading {
    Reading("an effect is expected") { value in
      guard let name = value.members?.first(where: { _ in true })?.name else { return nil }
      var object = ObjectReader(value)
      let effect = Effect.read(String(name), from: &object)
      return object.finish().isEmpty ? effect : nil
    }
  }
}

extension Effect {
  /// Reads the effect whose first member has this name.
  fileprivate static func read(_ name: String, from object: inout ObjectReader) -> Effect? {
    switch name {
    case "insert":
      return object.validated("insert") { Goal.read($0, at: $1, id: .required) }.map(Effect.insert)
    case "remove":
      return object.goal("remove").map(Effect.remove)
    case "restore":
      guard let id = object.goal("restore"), let before = object.successor() else { return nil }
      return .restore(id, before: before)
    case "alter":
      guard let id = object.goal("alter"),
        let changes = object.validated("changes", Goal.Changes.read)
      else { return nil }
      return .alter(id, changes)
    case "turn":
      guard case .keyed(let activity)? = object.validated("turn", Activity.read) else { return nil }
      return .setActivity(activity)
    case "place":
      guard let id = object.goal("place"), let before = object.successor() else { return nil }
      return .move(id, before: before)
    case "count":
      return readCount(from: &object)
    case "excuse":
      guard let id = object.goal("excuse"), let day = object.required("day", .day),
        let isExcused = object.required("excused", .flag)
      else { return nil }
      return .excuse(id, on: day, isExcused)
    case "configure":
      return object.take("configure").flatMap(readConfigure)
    default:
      return nil
    }
  }

  private static func readCount(from object: inout ObjectReader) -> Effect? {
    guard let id = object.goal("count"), let day = object.required("day", .day),
      // NB: the least Int has no opposite, by which the effect could be taken back.
      let amount = object.required("by", .integer(-Int.max...Int.max)),
      let note = object.required("note", Reading.note.orNull),
      let version = object.required("bump", .version)
    else { return nil }
    return .count(id, on: day, by: amount, note: note, bump: version)
  }

  private static func readConfigure(_ value: JSONValue) -> Effect? {
    var object = ObjectReader(value)
    let read = CalendarSettings.Changes.read(from: &object, defaults: nil)
    guard object.finish().isEmpty, let read, read.refusal == nil,
      case .account(.configure(let changes)) = read.edit
    else { return nil }
    return .configure(changes)
  }
}

extension ObjectReader {
  fileprivate mutating func goal(_ name: StaticString) -> Goal.ID? { required(name, .id()) }

  fileprivate mutating func successor() -> Goal.ID?? {
    required("before", Reading<Goal.ID>.id().orNull)
  }
}
