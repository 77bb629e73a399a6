import GoalsReplica
import JSON

@testable import GoalsEngine

extension Harness {
  /// Messages to an engine, with a record separator between one and the next.
  ///
  /// Each is answered with JSON. One that is not understood, or asks to look something up, changes
  /// nothing. The engine reads its kept lines as it wrote them.
  static let engine = Harness(name: "engine") { bytes in
    var engine = Engine()
    for message in bytes.split(separator: 0x1E) {
      let before = engine.replica
      let answer = engine.answer(Array(message))
      guard let root = try? JSONDocument(parsing: answer).root, let members = root.members else {
        throw Broken(description: "an answer is no object")
      }
      if !members.contains(where: { $0.name == "decisions" }) {
        try claim(engine.replica == before, "changed by a message that decides nothing")
      }
    }
    let line = engine.replica.kept.line
    let read = Replica.KeptLines(line + [0x0A])
    try claim(read.isClean && read.kept.line == line, "a snapshot is read as another")
  }
}
