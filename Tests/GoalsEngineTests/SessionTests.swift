import GoalsCore
import GoalsReplica
import JSON
import ReplicaTestSupport
import TestSupport
import Testing

@Suite struct `A shell that knows bytes alone` {
  @Test func `signs in, edits and syncs`() {
    var shell = TestShell()
    shell.start()
    shell.edit(TestEdit.add(1), TestEdit.turnOn(2), TestEdit.bump(3))
    #expect(shell.server.log.count == 3)
    let goals = shell.ask("goals")
    #expect(goals["goals"]?[0]?["progress"]?.number?.integer == 1)
    #expect(goals["goals"]?[0]?["waiting"]?.number?.integer == 0)
    #expect(goals["standing"]?["is"]?.text == "inStep")
    #expect(goals["pending"]?.elements?.isEmpty == true)
    #expect(goals["account"]?.text == SimulatedServer.identity.account.description)
  }

  @Test func `shows what is not sent yet, and sends it after a restart`() {
    var shell = TestShell()
    shell.start()
    shell.edit(TestEdit.add(1), TestEdit.turnOn(2))
    shell.isOnline = false
    shell.edit(TestEdit.bump(3))
    shell.edit(TestEdit.bump(4))
    let goals = shell.ask("goals")
    #expect(goals["goals"]?[0]?["progress"]?.number?.integer == 2)
    #expect(goals["goals"]?[0]?["waiting"]?.number?.integer == 2)
    #expect(goals["pending"]?.elements?.count == 2)
    shell.restart()
    #expect(shell.server.log.count == 2)
    shell.isOnline = true
    shell.exchange()
    #expect(shell.server.log.count == 4)
    #expect(shell.engine.replica.kept.state == shell.server.state)
  }

  @Test func `shows one goal after a bump, and all where the list reads otherwise by now`() {
    var shell = TestShell()
    shell.start()
    shell.edit(TestEdit.add(1), TestEdit.turnOn(2))
    shell.isOnline = false
    // The goals that `show` names; `all` where it names none.
    let shown = { (answer: JSONValue) in
      answer["decisions"]?.elements?.filter { $0["decision"]?.text == "show" }
        .map { $0["goal"]?.text ?? "all" } ?? []
    }
    let bump = { (number: Int) in "\"edits\":[\(TestEdit.bump(number))]" }
    #expect(shown(shell.tell("edited", bump(3))) == [TestEdit.yoga])
    let two = "\"edits\":[\(TestEdit.bump(4)),\(TestEdit.bump(5))]"
    #expect(shown(shell.tell("edited", two)) == ["all"])
    let noon = shell.now
    shell.now = noon.adding(milliseconds: 86_400_000)
    #expect(shown(shell.tell("edited", bump(6))) == ["all"])
    #expect(shown(shell.tell("edited", bump(7))) == [TestEdit.yoga])
    // What has nothing to show by itself.
    shell.now = shell.now.adding(milliseconds: 86_400_000)
    #expect(shown(shell.tell("kept", "\"number\":1")) == ["all"])
    #expect(shown(shell.tell("kept", "\"number\":1")) == [])
    // The device's clock was set back.
    shell.now = noon
    #expect(shown(shell.tell("edited", bump(8))) == ["all"])
  }

  @Test func `takes an edit back and does it again, with what it kept of the log`() {
    var shell = TestShell()
    shell.start()
    shell.edit(TestEdit.add(1), TestEdit.turnOn(2), TestEdit.bump(3))
    for round in 0..<4 {
      shell.edit(TestEdit.undo(4 + round, 3 + round))
      let progress = shell.ask("goals")["goals"]?[0]?["progress"]?.number?.integer
      #expect(progress == Int64(round % 2), "\(round)")
    }
    #expect(shell.server.log.count == 7)
    #expect(shell.engine.replica.kept.state == shell.server.state)
  }

  @Test func `tells a history`() {
    var shell = TestShell()
    shell.start()
    shell.edit(TestEdit.add(1), TestEdit.turnOn(2), TestEdit.bump(3))
    let window = "\"goal\":\"\(TestEdit.yoga)\",\"from\":\"2026-11-01\""
    let history = shell.ask("history", window)
    #expect(history["total"]?.number?.integer == 1)
    #expect(history["days"]?[0]?["date"]?.text == "2026-11-20")
  }

  @Test func `judges as the server would`() {
    var shell = TestShell()
    shell.start()
    shell.edit(TestEdit.add(1), TestEdit.turnOn(2), TestEdit.bump(3))
    let before = shell.engine.replica
    let wrong =
      "{\"id\":\"\(TestEdit.id(9))\",\"type\":\"bump\",\"goal\":\"\(TestEdit.id(5))\",\"by\":0}"
    let edits = [TestEdit.bump(4), TestEdit.undo(5, 3), TestEdit.turnOn(6), wrong].joined(
      separator: ",")
    let outcomes = shell.ask("judge", "\"edits\":[\(edits)]")["outcomes"]
    #expect(
      outcomes?.elements?.map { $0["status"]?.text } == [
        "applied", "applied", "unchanged", "rejected",
      ])
    #expect(outcomes?[3]?["errors"]?[0]?["pointer"]?.text == "/edits/3/by")
    #expect(shell.engine.replica == before)
  }
}
