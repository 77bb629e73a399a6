import GoalsCore
import GoalsReplica
import GoalsWire
import JSON

extension Message {
  /// An event as a shell tells it.
  struct Told {
    let kind: Replica.Event.Kind
    let now: Instant
    let chance: Double
    /// Nil where the shell was not asked to look edits up yet.
    let known: RecordedEdits?
    /// For `loaded`: what could be read.
    private(set) var lines: Replica.KeptLines?
  }

  /// The names are those of `Replica.Event.Kind`.
  enum EventName: String {
    case loaded, signedIn, edited, dismissed, kept, notKept, answered, unreachable
    case followed, followReset, followEnded, zone, timePassed, cameToFront
  }
}

extension Message.Told {
  init(_ message: inout Message, to replica: Replica) throws(MessageError) {
    let name = try message.name(Message.EventName.self)
    now = try message.now()
    chance = message.line.optional("chance", .chance) ?? 0
    switch name {
    case .loaded:
      let lines = Replica.KeptLines(message.bytes)
      kind = .loaded(lines.kept)
      self.lines = lines
      message.checkChanges(lines)
    case .signedIn: kind = .signedIn
    case .edited: kind = .edited(try message.validEdits())
    case .dismissed: kind = .dismissed(message.ids())
    case .kept: kind = .kept(try message.required("number", .count))
    case .notKept: kind = .notKept(try message.required("number", .count))
    case .answered: kind = try message.answered(replica)
    case .unreachable: kind = .unreachable(try message.required("ticket", .count))
    case .followed: kind = message.followed()
    case .followReset: kind = .followReset
    case .followEnded: kind = .followEnded(hadBegun: try message.required("hadBegun", .flag))
    case .zone: kind = try message.zone()
    case .timePassed: kind = .timePassed
    case .cameToFront: kind = .cameToFront
    }
    known = message.known(of: replica.lookUps(for: kind), in: lines?.kept ?? replica.kept)
    try message.finish()
  }
}

extension Message {
  fileprivate mutating func checkChanges(_ lines: Replica.KeptLines) {
    guard let count = line.required("changes", .count), count != max(0, lines.lines - 1) else {
      return
    }
    line.add("\(max(0, lines.lines - 1)) lines follow the snapshot's", at: "changes")
  }

  fileprivate mutating func validEdits() throws(MessageError) -> [ProposedEdit] {
    var edits: [ProposedEdit] = []
    for (index, proposal) in try self.edits().enumerated() {
      let pointer = line.pointer["edits"][index]
      switch proposal {
      case .edit(let edit) where !edit.lacksGoalID: edits.append(edit)
      case .edit, .put:
        line.add([Fault(pointer: pointer["goal"]["id"].description, detail: "id is missing")])
      case .refused(let rejection, _, _):
        let faults =
          rejection.faults.isEmpty
          ? [Fault(pointer: "", detail: rejection.detail)] : rejection.faults
        for fault in faults {
          line.add([Fault(pointer: pointer.description + fault.pointer, detail: fault.detail)])
        }
      }
    }
    return edits
  }

  /// An answer to a request that is not under way any more is as good as none.
  fileprivate mutating func answered(
    _ replica: Replica
  ) throws(MessageError) -> Replica.Event.Kind {
    let ticket = try required("ticket", .count)
    let status = try required("status", .integer(100...599))
    var fields = AnswerFields()
    if let value = line.take("fields") {
      var object = ObjectReader(value, at: line.pointer["fields"])
      fields = AnswerFields(
        date: object.optional("date", Reading.string.orNull) ?? nil,
        retryAfter: object.optional("retry-after", Reading.string.orNull) ?? nil)
      line.add(object.faults)
    }
    guard let request = replica.request(ticket) else { return .unreachable(ticket) }
    return Replica.Event.Kind(to: request, ticket, status: status, fields, body: bytes)
  }

  /// A long poll that makes no sense counts as one that could not begin.
  fileprivate mutating func followed() -> Replica.Event.Kind {
    if let cursor = line.optional("cursor", .string) {
      return Replica.Event.Kind(followed: cursor, bytes)
    }
    return Replica.Event.Kind(longPolled: bytes) ?? .followEnded(hadBegun: false)
  }

  fileprivate mutating func zone() throws(MessageError) -> Replica.Event.Kind {
    let name = try required(
      "name", .text("a time zone is a name of the IANA database") { ZoneName($0) })
    switch try required("found", Reading.flag.orNull) {
    case true?:
      let zone = try? Zone(name: name, tzif: bytes)
      return .zone(name, zone.map { .found($0) } ?? .unavailable)
    case false?: return .zone(name, .unknown)
    case nil: return .zone(name, .unavailable)
    }
  }
}

extension Reading where Value == Int {
  /// The number of a change or a request, or how many of something there are.
  static var count: Reading { .integer(0...Int.max) }
}

extension Reading where Value == Double {
  /// A random number. Six digits behind the point are enough for what it is for, and a number in
  /// powers of ten is too small to count.
  static var chance: Reading {
    Reading("a number from 0 to 1 is expected") { value in
      guard let number = value.number else { return nil }
      if let whole = number.integer { return (0...1).contains(whole) ? Double(whole) : nil }
      let text = Array(number.text.utf8)
      guard text.first != UInt8(ascii: "-") else { return nil }
      if let exponent = text.firstIndex(where: { $0 | 0x20 == UInt8(ascii: "e") }) {
        return text[exponent...].dropFirst().first == UInt8(ascii: "-") ? 0 : nil
      }
      guard text.starts(with: "0.".utf8) else { return nil }
      var (millionths, unit) = (0, 100_000)
      for digit in text.dropFirst(2).prefix(6) {
        millionths += Int(digit - UInt8(ascii: "0")) * unit
        unit /= 10
      }
      return Double(millionths) / 1_000_000
    }
  }
}
