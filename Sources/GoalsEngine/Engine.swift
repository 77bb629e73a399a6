import GoalsCore
import GoalsReplica
import GoalsWire
import JSON

/// A replica for shells in other languages: bytes go in, and bytes come out.
///
/// A message is one line of JSON, and behind a line feed bytes that belong to it as they are. The
/// answer is one JSON object. A message that makes no sense is answered with an `error`, and
/// changes nothing. `docs/decisions/0016-engine.md` has all messages.
///
///     var engine = Engine()
///     shell.perform(engine.answer(message))
public struct Engine: Sendable {
  public private(set) var replica = Replica()
  /// The streaks as they were counted last, from which the next list counts on: after ten years it
  /// takes a fortieth of the time so.
  private var streaks = StreakCounts()

  public init() {}

  public mutating func answer(_ message: [UInt8]) -> [UInt8] {
    do throws(MessageError) {
      var message = try Message(message)
      if message.isQuestion { return try replica.answer(&message, counting: &streaks) }
      return try tell(try Message.Told(&message, to: replica))
    } catch {
      return error.json
    }
  }

  private mutating func tell(_ told: Message.Told) throws(MessageError) -> [UInt8] {
    if told.known == nil {
      let ids = replica.lookUps(for: told.kind)
      if !ids.isEmpty { return lookUp(ids) }
    }
    let event = Replica.Event(
      told.kind, at: told.now, chance: told.chance, known: told.known ?? RecordedEdits())
    let decisions = decide(event, &replica)
    return JSONWriter.bytes { json in
      json.object { json in
        json.array("decisions") { json in
          if let lines = told.lines, !lines.isClean {
            json.object { json in
              json.member("decision", "replace")
              json.member("snapshot", lines.kept)
            }
          }
          for decision in decisions { json.value(decision) }
        }
        if let lines = told.lines { json.member("read", lines) }
      }
    }
  }
}

/// The answer that asks for edits of the log, each once.
func lookUp(_ ids: [Edit.ID]) -> [UInt8] {
  var seen: Set<Edit.ID> = []
  return JSONWriter.bytes { json in
    json.object { json in
      json.member("lookUp", ids.filter { seen.insert($0).inserted })
    }
  }
}

extension Replica.KeptLines: JSONWritable {
  package func write(to json: inout JSONWriter) {
    json.object { json in
      json.member("lines", lines)
      json.member("breaksOff", breaksOff)
      if let damage {
        json.object("damage") { json in
          json.member("line", damage.line)
          json.member("detail", damage.detail)
        }
      }
    }
  }
}
