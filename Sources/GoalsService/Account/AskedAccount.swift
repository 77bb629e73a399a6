import GoalsCore
import GoalsStore
import GoalsWire
import JSON

package struct AskedAccount: Hashable, Sendable {
  let name: Title
  let timeZone: ZoneName
  /// Whether the zone was asked for; else it is the machine's.
  let isZoneChosen: Bool

  /// Reads `{"name", "timeZone"}`, of which the name has to be there.
  static func read(_ value: JSONValue, in world: World) -> Validated<AskedAccount> {
    var object = ObjectReader(value)
    let name = object.required("name", .label)
    let refusal = object.refusalOfZone(in: world)
    let timeZone =
      object.optional("timeZone", Reading<ZoneName>.zone(in: world, refusal).orNothing) ?? nil
    let faults = object.finish()
    guard faults.isEmpty, let name else { return .invalid(faults) }
    return .valid(
      AskedAccount(
        name: name, timeZone: timeZone ?? world.machineZone(), isZoneChosen: timeZone != nil))
  }

  func record(in world: World) -> AccountRecord {
    let initial = CalendarSettings.initial
    return AccountRecord(
      id: world.makeID(), name: name.text, createdAt: world.now(),
      initialCalendar: CalendarSettings(
        timeZone: timeZone, weekStart: initial.weekStart, dayStart: initial.dayStart),
      isZoneChosen: isZoneChosen)
  }

  /// Whether its zone can be had now.
  func hasZone(in world: World) -> Bool { world.zone(timeZone).zone != nil }
}

/// A change of an account's calendar, with everything by which it may be wrong.
package struct AccountPatch: Sendable {
  let account: Account.ID
  /// The change, or what is wrong with the request by itself.
  let sent: Validated<Store.SentBatch>
  /// The fault of a name that no time zone has.
  var unknownZone: Fault?
  var repeated: RepeatedAccount?
  /// For a client that sends back the account as it was read: the zone that it names, and the
  /// change without that zone. A zone that the account has already counts as repeated, not as
  /// chosen. For a retry the edit that was recorded decides which of the two it is.
  var repetition: (zone: ZoneName, others: Store.SentBatch)?

  /// Whether nothing but the change itself is to be looked at.
  var isAlone: Bool { unknownZone == nil && repeated == nil }

  /// All that is wrong with it.
  func faults(beside account: AccountView) -> [Fault] {
    var faults: [Fault] = []
    if case .invalid(let own) = sent { faults = own }
    if let unknownZone, !faults.contains(unknownZone) { faults.append(unknownZone) }
    return faults + (repeated?.faults(beside: account) ?? [])
  }
}

/// The fields of an account that a merge patch may repeat as they were read, and can't change.
package struct RepeatedAccount: Hashable, Sendable {
  /// Nil for a field that is left out; so are all others.
  private let id: Account.ID?
  private let name: String?
  private let isZoneChosen: Bool?
  private let version: Version?
  private let cursor: String?
  private let createdAt: Instant?

  /// Nil where the object has none of the fields.
  init?(from object: inout ObjectReader) {
    id = object.optional("id", .id())
    name = object.optional("name", .string)
    isZoneChosen = object.optional("timeZoneChosen", .flag)
    version = object.optional("version", .version)
    cursor = object.optional("cursor", .string)
    createdAt = object.optional("createdAt", .instant)
    let isEmpty = id == nil && name == nil && isZoneChosen == nil && version == nil
    if isEmpty, cursor == nil, createdAt == nil { return nil }
  }

  /// Whether the patch repeats a time zone that nobody ever named.
  var repeatsZone: Bool { isZoneChosen == false }

  /// A fault for each field that is not as the account has it.
  func faults(beside account: AccountView) -> [Fault] {
    func differs<Value: Equatable>(_ value: Value?, _ present: Value) -> Bool {
      value.map { $0 != present } ?? false
    }
    let differing: [(name: String, differs: Bool)] = [
      ("id", differs(id, account.record.id)),
      ("name", differs(name, account.record.name)),
      ("timeZoneChosen", differs(isZoneChosen, account.record.isZoneChosen)),
      ("version", differs(version, account.cursor.head.version)),
      ("cursor", differs(cursor, account.cursor.description)),
      ("createdAt", differs(createdAt, account.record.createdAt)),
    ]
    return differing.filter(\.differs).map { name, _ in
      Fault(pointer: "/\(name)", detail: "the \(name) is another, and can't be changed here")
    }
  }
}

extension Reading where Value == ZoneName {
  /// Refuses what is known to be none. A zone that can't be had now is not the client's fault.
  static func zone(in world: World, _ refusal: String?) -> Reading {
    Reading(refusal ?? "a time zone is one of the IANA database, such as Europe/Berlin") { value in
      Reading<String>.string.read(value).flatMap { ZoneName($0) }
        .flatMap { world.zone($0) == .unknown ? nil : $0 }
    }
  }
}

extension ObjectReader {
  /// Why the field `timeZone` names none; nil where it names one, or may do so, and where there is
  /// no text.
  func refusalOfZone(in world: World) -> String? {
    first("timeZone").flatMap { Reading<String>.string.read($0) }.flatMap(world.refusal)
  }
}
