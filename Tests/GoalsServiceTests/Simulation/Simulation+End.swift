import GoalsStore

@testable import GoalsCore

/// How it has to end.
extension Simulation {
  /// Has the server start once more, so that what it knows is what was kept, and everyone sync over
  /// a network that loses nothing, until nobody has anything to say.
  func settle() async throws {
    try restartServer(byCrash: schedule.seed % 2 == 0)
    setServerClock()
    var rounds = 0
    while !devices.allSatisfy(isQuiet) {
      rounds += 1
      try claim(rounds < 60, "it does not become quiet")
      advance(to: now.adding(milliseconds: 600_000))
      for number in devices.indices where !isQuiet(devices[number]) {
        let asked = devices[number].thoroughRequest()
        for answer in try await answers(to: [asked]) { _ = try receive(answer, to: asked) }
      }
    }
  }

  private func isQuiet(_ device: Device) -> Bool {
    device.memory.queue.isEmpty && !device.memory.isLost
      && (device.memory.cursor ?? referee.ledger.start)
        == referee.ledger.cursor(after: referee.ledger.version)
  }

  /// Claims all that the project promises of a log and of those who follow it.
  func judge() async throws {
    try judgeServer()
    for device in devices {
      try judgeReplica(of: device)
      try judgeAcknowledgements(of: device)
    }
    try judgeLog()
    try await judgeList()
    // Days end, though nobody does anything.
    advance(to: now.adding(milliseconds: 30 * 3_600_000))
    try await judgeList()
  }

  /// What people see is what the server shows. Of states that are the same one list is enough.
  private func judgeList() async throws {
    let list = try await answers(to: [Asked(device: 0, run: 0, operation: .list)])[0]
    if let device = devices.first(where: { $0.memory.replica.start == 0 }) {
      let own = device.memory.replica.list(
        cursor: device.memory.cursor ?? referee.ledger.start, at: server.world.now(),
        in: server.world)
      try claim(own == list.body, "device \(device.number) shows another list")
    }
  }

  private func judgeServer() throws {
    let faults = try server.store.upkeep.verify()
    try claim(faults.isEmpty, "verify: \(faults)")
    let failures = server.failures.value
    try claim(failures.isEmpty, "the store failed: \(failures)")
    let published = try server.store.state(server.record.id)
    try claim(
      published?.state == referee.ledger.fold.state, "the snapshot is not the fold of the log")
  }

  /// Its pages, from the position at which it began, lead to the server's state.
  private func judgeReplica(of device: Device) throws(Violation) {
    let replica = device.memory.replica
    var whole = replica.start == 0 ? replica : Replica(device.calendar)
    if replica.start > 0 {
      for entry in referee.ledger.entries.prefix(replica.start) {
        try whole.append(entry.payload, reader)
      }
      for entry in replica.log { try whole.append(entry.payload, reader) }
    }
    try claim(
      whole.state == referee.ledger.fold.state, "device \(device.number) has another state")
    try claim(
      whole.log.map(\.payload) == referee.ledger.entries.map(\.payload),
      "device \(device.number) was shown another log")
  }

  /// An acknowledged edit is in the log, at the version that was told. One that a restore took away
  /// is decided again once its device has learned of the restore.
  private func judgeAcknowledgements(of device: Device) throws(Violation) {
    for (id, told) in device.acknowledged {
      let version = referee.ledger.version(of: id)
      let isKept = restored[told.history...].allSatisfy { told.version <= $0 }
      if isKept {
        try claim(
          version == told.version, "\(id), told as \(told.version), is \(version ?? 0) in the log")
      } else if device.resetIn == restored.count {
        try claim(
          device.decidedIn[id].map { $0 > told.history } ?? false,
          "\(id) was not brought back after the restore")
      }
      if !isKept {
        tally.count(device.resetIn == restored.count ? "given up" : "lost unnoticed")
      }
    }
    if device.broughtBack > 0 { tally.count("brought back", device.broughtBack) }
  }

  /// The log holds the edits as their devices sent them, in time's order.
  private func judgeLog() throws(Violation) {
    var last: Instant?
    for entry in referee.ledger.entries {
      guard let recorded = referee.ledger.fold.edit(entry.id) else {
        throw Violation("\(entry.id) is not in its own log")
      }
      let sender = devices.first { $0.sent[entry.id] != nil }
      try claim(
        sender?.sent[entry.id]?.isRecorded(as: recorded) == true, "nobody sent \(recorded)")
      try claim(
        recorded.device == sender.map { SimulatedServer.deviceName($0.number) },
        "\(entry.id) is said to come from \(recorded.device)")
      try claim(last.map { $0 <= recorded.recordedAt } ?? true, "time goes back at \(entry.id)")
      last = recorded.recordedAt
    }
  }
}
