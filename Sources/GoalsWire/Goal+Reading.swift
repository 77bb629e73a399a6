import GoalsCore
import JSON

/// The rule for the id of a goal that is read.
package enum GoalIDRule: Sendable {
  /// The id must be there.
  case required
  /// Where the id is left out, the goal gets this one.
  case optional(otherwise: Goal.ID)
  /// The id may be left out. Where it is there, it must be this one, the path's.
  case fixed(Goal.ID)
}

/// The fields of a goal that only the server sets. Clients read them and may send them back.
private let readOnlyFields: [StaticString] = [
  "progress", "completion", "period", "streak", "today", "state",
]

extension Goal {
  /// Reads the whole goal of an edit; a field that is left out has its default. The activity is
  /// passed over: an edit of its own sets it.
  package static func read(
    _ value: JSONValue, at pointer: JSONPointer = .root, id rule: GoalIDRule
  ) -> Validated<Goal> {
    var object = ObjectReader(value, at: pointer)
    object.ignore(["active"])
    return read(from: &object, id: rule)
  }

  /// Reads a whole goal, and the activity that it is to have; nil where that is left out.
  package static func readWithActivity(
    _ value: JSONValue, id rule: GoalIDRule
  ) -> Validated<(goal: Goal, active: Bool?)> {
    var object = ObjectReader(value)
    let active = object.optional("active", .flag)
    return read(from: &object, id: rule).map { ($0, active) }
  }

  private static func read(
    from object: inout ObjectReader, id rule: GoalIDRule
  ) -> Validated<Goal> {
    let id = object.goalID(rule)
    let title = object.required("title", .title)
    let colour = object.optional("colour", .colour)
    let interval = object.optional("interval", .interval)
    let frequency = object.optional("frequency", .frequency)
    let unit = object.optional("unit", .unit)
    object.ignore(readOnlyFields)
    let faults = object.finish()
    guard faults.isEmpty, let id, let title else { return .invalid(faults) }
    return .valid(
      Goal(
        id: id, title: title, colour: colour ?? .default, interval: interval ?? .default,
        frequency: frequency ?? .default, unit: unit ?? nil))
  }

  /// Whether a goal's JSON names its id.
  package static func namesID(_ value: JSONValue) -> Bool {
    ObjectReader(value).first("id") != nil
  }
}

extension Goal.Changes {
  /// Reads the `changes` of an `alter`: any of a goal's fields but the id.
  static func read(_ value: JSONValue, at pointer: JSONPointer) -> Validated<Goal.Changes> {
    var object = ObjectReader(value, at: pointer)
    let changes: [Goal.Change?] = [
      object.optional("title", .title).map { .retitling(to: $0) },
      object.optional("colour", .colour).map { .recolouring(to: $0) },
      object.optional("interval", .interval).map { .rescheduling(to: $0) },
      object.optional("frequency", .frequency).map { .targeting($0) },
      object.optional("unit", .unit).map { .measuring(in: $0) },
    ]
    let faults = object.finish()
    return faults.isEmpty
      ? .valid(Goal.Changes(changes.compactMap { $0 })) : .invalid(faults)
  }
}

/// A merge patch (RFC 7396) of a goal: null sets a field to its default.
package struct GoalPatch: Hashable, Sendable {
  package let changes: Goal.Changes
  package let active: Bool?

  package static func read(_ value: JSONValue, id: Goal.ID) -> Validated<GoalPatch> {
    var object = ObjectReader(value)
    _ = object.goalID(.fixed(id))
    let changes: [Goal.Change?] = [
      object.optional("title", .title).map { .retitling(to: $0) },
      object.optional("colour", Reading.colour.orNull)
        .map { .recolouring(to: $0 ?? .default) },
      object.optional("interval", Reading.interval.orNull)
        .map { .rescheduling(to: $0 ?? .default) },
      object.optional("frequency", Reading.frequency.orNull)
        .map { .targeting($0 ?? .default) },
      object.optional("unit", .unit).map { .measuring(in: $0) },
    ]
    let active = object.optional("active", Reading.flag.orNull).map { $0 ?? false }
    object.ignore(readOnlyFields)
    let faults = object.finish()
    return faults.isEmpty
      ? .valid(GoalPatch(changes: Goal.Changes(changes.compactMap { $0 }), active: active))
      : .invalid(faults)
  }
}

extension ObjectReader {
  fileprivate mutating func goalID(_ rule: GoalIDRule) -> Goal.ID? {
    switch rule {
    case .required:
      return required("id", .id())
    case .optional(let otherwise):
      return take("id").map { Reading.id().read($0) ?? invalidID() } ?? otherwise
    case .fixed(let expected):
      guard let value = take("id") else { return expected }
      if Reading<Goal.ID>.id().read(value) != expected {
        add("the id is not that of the path", at: "id")
      }
      return expected
    }
  }

  private mutating func invalidID() -> Goal.ID? {
    add(Reading<Goal.ID>.id().rule, at: "id")
    return nil
  }
}
