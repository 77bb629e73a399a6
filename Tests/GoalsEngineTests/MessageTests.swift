import GoalsCore
import GoalsReplica
import JSON
import ReplicaTestSupport
import TestSupport
import Testing

@testable import GoalsEngine

@Suite struct `A message that makes no sense` {
  @Test(arguments: [
    ("", []), ("[]", [""]), ("{}", ["/event"]), ("{\"event\":\"x\"}", ["/event"]),
    ("{\"ask\":\"x\"}", ["/ask"]), ("{\"event\":\"signedIn\",\"ask\":\"goals\"}", ["/event"]),
    ("{\"event\":1}", ["/event"]), ("{\"event\":\"signedIn\"}", ["/now"]),
    ("{\"event\":\"signedIn\",\"now\":\"noon\"}", ["/now"]),
    ("{\"event\":\"signedIn\",\"now\":NOW,\"chance\":2}", ["/chance"]),
    ("{\"event\":\"signedIn\",\"now\":NOW,\"chance\":-0.5}", ["/chance"]),
    ("{\"event\":\"signedIn\",\"now\":NOW,\"chance\":1.5e3}", ["/chance"]),
    ("{\"event\":\"signedIn\",\"now\":NOW,\"token\":\"x\"}", ["/token"]),
    ("{\"event\":\"signedIn\",\"now\":NOW,\"known\":[{}]}", ["/known"]),
    ("{\"event\":\"loaded\",\"now\":NOW}", ["/changes"]),
    ("{\"event\":\"loaded\",\"now\":NOW,\"changes\":1}", ["/changes"]),
    ("{\"event\":\"edited\",\"now\":NOW}", ["/edits"]),
    ("{\"event\":\"edited\",\"now\":NOW,\"edits\":[{}]}", ["/edits/0/id", "/edits/0/type"]),
    (
      "{\"event\":\"edited\",\"now\":NOW,\"edits\":[{\"id\":\"\(TestEdit.id(1))\",\"type\":\"add\",\"goal\":{\"title\":\"a\"}}]}",
      ["/edits/0/goal/id"]
    ),
    ("{\"event\":\"dismissed\",\"now\":NOW,\"ids\":[\"x\"]}", ["/ids"]),
    ("{\"event\":\"kept\",\"now\":NOW,\"number\":-1}", ["/number"]),
    ("{\"event\":\"answered\",\"now\":NOW,\"ticket\":1}", ["/status"]),
    ("{\"event\":\"answered\",\"now\":NOW,\"ticket\":1,\"status\":99}", ["/status"]),
    (
      "{\"event\":\"answered\",\"now\":NOW,\"ticket\":1,\"status\":200,\"fields\":{\"date\":1}}",
      ["/fields/date"]
    ),
    ("{\"event\":\"followEnded\",\"now\":NOW}", ["/hadBegun"]),
    ("{\"event\":\"zone\",\"now\":NOW,\"name\":\"../x\",\"found\":true}", ["/name"]),
    ("{\"ask\":\"goals\"}", ["/now"]),
    ("{\"ask\":\"goals\",\"now\":NOW,\"goal\":\"x\"}", ["/goal"]),
    ("{\"ask\":\"history\",\"now\":NOW,\"goal\":\"x\"}", ["/goal"]),
    ("{\"ask\":\"history\",\"now\":NOW,\"goal\":\"\(TestEdit.id(9))\"}", ["/goal"]),
    (
      "{\"ask\":\"history\",\"now\":NOW,\"goal\":\"\(TestEdit.yoga)\",\"from\":\"2026-12-01\"}",
      ["/from"]
    ),
    ("{\"ask\":\"judge\",\"now\":NOW,\"edits\":1}", ["/edits"]),
    ("{\"ask\":\"screen\",\"now\":NOW,\"state\":\"x\",\"step\":\"edit\"}", ["/state"]),
    ("{\"ask\":\"screen\",\"now\":NOW,\"state\":\"displaying\",\"step\":\"x\"}", ["/step"]),
  ])
  func `is told what is wrong and where, and changes nothing`(
    _ message: String, _ pointers: [String]
  ) {
    var shell = TestShell()
    shell.start()
    shell.edit(TestEdit.add(1))
    let before = shell.engine.replica
    let answer = shell.say(message.replacing("NOW", with: "\"\(shell.now)\""), [])
    #expect(answer["error"]?["errors"]?.elements?.map { $0["pointer"]?.text } == pointers)
    #expect(answer["error"]?["detail"]?.text.hasSuffix(".") == true)
    #expect(shell.engine.replica == before)
  }

  @Test func `never traps, and changes nothing, whatever its bytes are`() {
    let words = Self.session()
    SeededDice.each(of: 8) { dice in
      var engine = Engine()
      for _ in 0..<400 {
        let before = engine.replica
        let answer = engine.answer(Self.mutated(dice.one(of: words), by: &dice))
        guard let root = try? JSONDocument(parsing: answer).root else {
          Issue.record("no JSON, GOALS_TEST_SEED=\(dice.seed)")
          return
        }
        let isChange = root["decisions"] != nil
        guard isChange || engine.replica == before else {
          Issue.record("changed by an error, GOALS_TEST_SEED=\(dice.seed)")
          return
        }
      }
    }
  }

  /// The messages of a session, all kinds among them.
  private static func session() -> [[UInt8]] {
    var shell = TestShell()
    shell.start()
    shell.edit(TestEdit.add(1), TestEdit.turnOn(2), TestEdit.bump(3))
    shell.edit(TestEdit.undo(4, 3))
    _ = shell.ask("goals")
    _ = shell.ask("kept")
    _ = shell.ask("history", "\"goal\":\"\(TestEdit.yoga)\"")
    _ = shell.ask("judge", "\"edits\":[\(TestEdit.undo(5, 4))]")
    _ = shell.ask("screen", "\"state\":\"displaying\",\"step\":\"edit\"")
    shell.tell("followed", "\"cursor\":\"4.0\"", shell.server.streamed(4))
    for event in ["followReset", "timePassed", "cameToFront"] { shell.tell(event) }
    shell.tell("followEnded", "\"hadBegun\":true")
    shell.tell("dismissed", "\"ids\":[\"\(TestEdit.id(1))\"]")
    shell.tell("notKept", "\"number\":1")
    shell.restart()
    return shell.transcript.map(\.message)
  }

  private static func mutated(_ message: [UInt8], by dice: inout SeededDice) -> [UInt8] {
    var message = message
    for _ in 0..<dice.number(in: 0...3) where !message.isEmpty {
      let place = dice.number(in: 0...message.count - 1)
      switch dice.number(in: 0...5) {
      case 0: message[place] = UInt8(truncatingIfNeeded: dice.next())
      case 1: message.removeSubrange(place...)
      case 2: message.remove(at: place)
      case 3: message.insert(dice.one(of: Array("{}[]\",:0-9en\n\\".utf8)), at: place)
      case 4: message.append(contentsOf: message[place...])
      default: message[place] ^= 1 << UInt8(dice.number(in: 0...7))
      }
    }
    return message
  }
}
