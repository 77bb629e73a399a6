import Foundation
import GoalsCore
import GoalsEngine
import JSON
import ReplicaTestSupport
import TestSupport
import Testing

/// A session as it was recorded: messages, and what the engine answers to each. Engines elsewhere,
/// such as the browser's, are held against the same lines.
///
/// `GOALS_WRITE=1` records the file anew; read the difference before you keep it.
@Suite struct `A recorded session` {
  private static let file = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "Vectors/engine/session.jsonl")

  @Test func `is answered byte for byte as it was`() throws {
    let lines = Self.record().map { String(decoding: $0, as: UTF8.self) }
    if ProcessInfo.processInfo.environment["GOALS_WRITE"] != nil {
      let text = lines.joined(separator: "\n") + "\n"
      try text.write(to: Self.file, atomically: true, encoding: .utf8)
    }
    let kept = try String(contentsOf: Self.file, encoding: .utf8).split(separator: "\n")
    #expect(lines.count == kept.count)
    for (line, expected) in zip(lines, kept) { #expect(line == expected) }
  }

  @Test func `has every event, question and decision`() throws {
    let text = try String(contentsOf: Self.file, encoding: .utf8)
    let events = [
      "loaded", "signedIn", "edited", "dismissed", "kept", "notKept", "answered", "unreachable",
      "followed", "followReset", "followEnded", "zone", "timePassed", "cameToFront",
    ]
    let questions = ["goals", "history", "judge", "kept", "screen"]
    let decisions = [
      "keep", "replace", "send", "follow", "unfollow", "show", "findZone", "wait", "tell",
    ]
    for name in events { #expect(text.contains("{\"event\":\"\(name)\"")) }
    for name in questions { #expect(text.contains("{\"ask\":\"\(name)\"")) }
    for name in decisions { #expect(text.contains("{\"decision\":\"\(name)\"")) }
    #expect(text.contains("{\"lookUp\":") && text.contains("{\"error\":"))
  }

  private static func record() -> [[UInt8]] {
    var shell = TestShell()
    shell.start()
    shell.edit(TestEdit.add(1), TestEdit.turnOn(2), TestEdit.bump(3))
    shell.tell("followed", "\"cursor\":\"0.0\"")
    _ = shell.ask("goals")
    shell.isOnline = false
    shell.edit(TestEdit.bump(4))
    _ = shell.ask("goals", "\"goal\":\"\(TestEdit.yoga)\"")
    _ = shell.ask("goals", "\"goal\":\"\(TestEdit.id(9))\"")
    shell.tell("unreachable", "\"ticket\":\(shell.requests[0].ticket)")
    shell.now = shell.now.adding(milliseconds: 2_000)
    shell.tell("timePassed")
    shell.isOnline = true
    shell.requests.removeFirst()
    shell.exchange()
    shell.edit(TestEdit.undo(5, 3))
    shell.edit(TestEdit.bump(6).replacing(TestEdit.yoga, with: TestEdit.id(9)))
    shell.tell("dismissed", "\"ids\":[\"\(TestEdit.id(6))\"]")
    let window = "\"goal\":\"\(TestEdit.yoga)\",\"from\":\"2026-11-16\",\"to\":\"2026-11-23\""
    _ = shell.ask("history", window)
    _ = shell.ask("judge", "\"edits\":[\(TestEdit.undo(7, 5)),\(TestEdit.bump(3))]")
    _ = shell.ask("screen", "\"state\":\"displaying\",\"step\":\"edit\"")
    let editing = "\"state\":{\"editing\":{\"\(TestEdit.yoga)\":false}}"
    _ = shell.ask("screen", editing + ",\"step\":\"save\"")
    shell.tell("followEnded", "\"hadBegun\":true")
    shell.tell("cameToFront")
    shell.tell("notKept", "\"number\":0")
    shell.tell("followReset")
    shell.snapshot = text(of: shell.ask("kept"))
    shell.changes = ["{\"format\":2,\"own\":[]}"]
    shell.restart()
    _ = shell.ask("goals")
    _ = shell.ask("goal")
    return shell.transcript.map { line(of: $0.message, $0.answer) }
  }

  /// `{"message", "text" or "base64", "answer"}`.
  private static func line(of message: [UInt8], _ answer: [UInt8]) -> [UInt8] {
    let end = message.firstIndex(of: UInt8(ascii: "\n")) ?? message.endIndex
    let bytes = Array(message[end...].dropFirst())
    var json = JSONWriter()
    json.object { json in
      json.member("message") { $0.raw(message[..<end]) }
      if let text = String(validating: bytes, as: UTF8.self) {
        if !bytes.isEmpty { json.member("text", text) }
      } else {
        json.member("base64", Data(bytes).base64EncodedString())
      }
      json.member("answer") { $0.raw(answer) }
    }
    return json.bytes
  }
}
