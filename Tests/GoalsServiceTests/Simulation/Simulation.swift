import GoalsCore
import GoalsStore

/// Five devices and a server, over a network that keeps nothing but the seed's word, in virtual
/// time.
final class Simulation {
  fileprivate enum Event {
    case wake(Int)
    case restartDevice(Int)
    case arrival(Asked)
    case answer(Asked, Answered)
    case restartServer
    case backUp
    case restore
    case failCommit
  }

  let schedule: Schedule
  private let network: VirtualNetwork
  private var dice: Dice
  private var agenda = Agenda<Event>()
  private(set) var now: Instant
  /// How far the server's clock is off, in milliseconds.
  private var serverError: Int64 = 0
  private var backup: (backup: SimulatedServer.Backup, version: Int)?

  let server: SimulatedServer
  var devices: [Device]
  let reader = PayloadReader()
  private(set) var referee: Referee
  private(set) var journal = Journal()
  var tally = Tally()
  /// The versions that were brought back, in order.
  private(set) var restored: [Int] = []

  init(_ schedule: Schedule) throws {
    self.schedule = schedule
    network = VirtualNetwork(schedule)
    var dice = schedule.dice
    server = try SimulatedServer(schedule)
    now = server.clock.now
    referee = try Referee(server, reader)
    let (reader, calendar) = (reader, server.record.initialCalendar)
    devices = (0..<Schedule.devices).map { number in
      // One clock in six is wrong by more than the server puts up with.
      let error = dice.chance(16) ? dice.number(310...540) : dice.number(-240...240)
      return Device(number, error: Int64(error) * 1000, calendar: calendar, reader)
    }
    self.dice = dice
    plan()
  }

  private func plan() {
    for device in devices.indices {
      for _ in 0..<schedule.wakes { plan(.wake(device)) }
    }
    for _ in 0..<schedule.deviceRestarts { plan(.restartDevice(dice.number(0...4))) }
    for _ in 0..<schedule.serverRestarts { plan(.restartServer) }
    for _ in 0..<schedule.restores {
      plan(.backUp)
      plan(.restore)
    }
    for _ in 0..<(schedule.failurePercent * schedule.wakes / 10) { plan(.failCommit) }
  }

  private func plan(_ event: Event) {
    let moment = Int64.random(in: 0..<schedule.duration * 1000, using: &dice)
    agenda.plan(event, at: now.adding(milliseconds: moment))
  }

  // MARK: What happens

  /// Lets everything happen that is planned, and what that leads to.
  func run() async throws {
    while let next = agenda.next() {
      advance(to: next.at)
      try await perform(next.event)
    }
    server.failOnce(with: nil)
  }

  /// Lets time pass.
  func advance(to instant: Instant) {
    now = instant
    server.clock.set(to: instant.adding(milliseconds: serverError))
  }

  private func perform(_ event: Event) async throws {
    switch event {
    case .wake(let number): send(devices[number].wake(at: now, schedule, &dice))
    case .restartDevice(let number):
      note(.deviceRestarted(number))
      devices[number].restart()
    case .arrival(let asked):
      let asked = [asked] + others(with: asked)
      for (asked, answer) in zip(asked, try await answers(to: asked)) {
        for delay in network.arrivals(&dice) {
          agenda.plan(.answer(asked, answer), at: now.adding(milliseconds: delay))
        }
      }
    case .answer(let asked, let answer):
      if asked.run == devices[asked.device].run { send(try receive(answer, to: asked)) }
    case .restartServer:
      try restartServer(byCrash: dice.chance(50))
    case .backUp:
      note(.backedUp(version: referee.ledger.version))
      backup = (try server.backUp(), referee.ledger.version)
    case .restore:
      if let backup { try restore(backup.backup, version: backup.version) }
    case .failCommit:
      note(.commitFails)
      server.failOnce(with: .intended)
    }
  }

  private func send(_ asked: [Asked]) {
    for asked in asked {
      let arrivals = network.arrivals(&dice)
      note(.sent(asked, copies: arrivals.count))
      for delay in arrivals { agenda.plan(.arrival(asked), at: now.adding(milliseconds: delay)) }
    }
  }

  /// What reaches the server before it has answered that: nothing, but in a crowd.
  private func others(with asked: Asked) -> [Asked] {
    guard schedule.isCrowded else { return [] }
    let end = now.adding(milliseconds: 600_000)
    var others: [Asked] = []
    while let next = agenda.next(where: { $0.at <= end && $0.event.isArrival }),
      case .arrival(let other) = next.event
    {
      others.append(other)
    }
    return others
  }

  /// Has the server answer requests that come at once, and every answer looked at.
  func answers(to asked: [Asked]) async throws -> [Answered] {
    let answers = try await server.answers(asked)
    for (asked, answer) in zip(asked, answers) {
      note(.answered(asked, answer, version: referee.ledger.version))
      tally.count(asked, answer)
    }
    try referee.check(asked, answers, from: server)
    return answers
  }

  /// Has a device take an answer in; what it asks because of it is not sent yet.
  func receive(_ answer: Answered, to asked: Asked) throws -> [Asked] {
    note(.received(asked, answer))
    return try devices[asked.device].receive(answer, to: asked, in: restored.count, &dice)
  }

  // MARK: The server's misfortunes

  /// No answer survives that, and of the requests on their way some reach the next server.
  func restartServer(byCrash isCrash: Bool) throws {
    note(.serverRestarted(isCrash: isCrash))
    try server.restart(byCrash: isCrash)
    breakConnections()
    // Somebody sets the clock right, or hours back.
    let error = dice.chance(80) ? dice.number(-180...180) : dice.number(-36_000 ... -180)
    serverError = Int64(error) * 1000
    advance(to: now)
    tally.count(isCrash ? "crash" : "restart")
  }

  func setServerClock() {
    serverError = 0
    advance(to: now)
  }

  private func restore(_ backup: SimulatedServer.Backup, version: Int) throws {
    note(.restored(version: version))
    try server.restore(backup)
    breakConnections()
    try referee.checkRestored(server)
    try claim(referee.ledger.version == version, "what was restored is not what was backed up")
    restored.append(version)
    tally.count("restore")
  }

  private func breakConnections() {
    let losesRequests = dice.chance(50)
    agenda.removeAll { event in
      switch event {
      case .answer: true
      case .arrival: losesRequests
      case .wake, .restartDevice, .restartServer, .backUp, .restore, .failCommit: false
      }
    }
  }

  private func note(_ what: Journal.Occurrence) { journal.note(what, at: now) }
}

extension Simulation.Event {
  fileprivate var isArrival: Bool { if case .arrival = self { true } else { false } }
}
