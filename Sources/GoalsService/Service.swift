import ChangePropagation
import Dispatch
import GoalsCore
import GoalsStore
import HTTPServer

/// The running server: a store, the domain around it, and the ways in.
package final class Service: Sendable {
  /// The settings of an operator.
  package struct Configuration: Sendable {
    /// That of the program.
    package var version = ""
    /// A file, or the URL of a database on a server.
    package var database = "goals.sqlite"
    package var listeners: [ListenAddress] = [.internet(host: "127.0.0.1", port: 8080)]
    /// The permissions of the files of Unix sockets at which the server listens.
    package var socketMode: UInt32 = 0o660
    /// The socket of the commands; nil for the one beside the database.
    package var adminSocket: String?
    /// The time zone of the account that the first start makes; nil for the machine's.
    package var timeZone: String?
    package var limits = HTTPServer.Limits()
    package var gateway = Gateway.Limits()
    /// The addresses where metrics are read; none by default.
    package var metricsListeners: [ListenAddress] = []
    package var policy = AccessPolicy()
    package var maximumGoals = AccountState.maximumGoals
    package var maximumLogBytes = AccountState.maximumLogBytes
    package var signUpLogBytes = AccountState.maximumSignUpLogBytes
    /// How long a stopping server goes on with requests that have begun.
    package var stopTimeout: Duration = .seconds(10)

    package init() {}
  }

  /// What a server tells once it runs.
  package struct Started: Sendable {
    /// The addresses where it listens, with the ports that were picked.
    package let listeners: [ListenAddress]
    /// The account that was made because there was none.
    package let firstAccount: AdminReply.NewAccount?
  }

  /// The name of the account that the first start makes.
  private static let firstAccount = "me"
  /// How often the store is told of the uses of tokens, which need not be durable at once, and the
  /// log of what was held back.
  private static let upkeepInterval = Duration.seconds(60)

  private let store: Store
  private let server: Server
  private let adminServer: Server
  private let metricsServer: Server?
  private let world: World
  private let authenticator: Authenticator
  private let gateway: Gateway
  private let others: OtherServers?
  private let stopTimeout: Duration

  /// The socket of the commands to the server of a database.
  package static func adminSocket(besideDatabase path: String) -> String { path + ".sock" }

  /// Opens the database, makes the first account if there is none, and serves.
  package static func start(
    _ configuration: Configuration, in world: World
  ) throws -> (Service, Started) {
    let metrics = Metrics()
    let world = world.tracking { metrics.observe($0) }
    // Checked before anything is made: a start that is refused leaves nothing behind.
    _ = try Administration.asked(firstAccount, timeZone: configuration.timeZone, in: world)
    let (store, socket) = try open(configuration, in: world)
    do {
      let service = try Service(store, configuration, world, metrics)
      for address in configuration.metricsListeners {
        let taken = try service.metricsServer?.listen(on: address, mode: configuration.socketMode)
        world.track(.measuring(listener: (taken ?? address).url))
      }
      if let socket { try service.listenForCommands(at: socket) }
      let firstAccount = try service.makeFirstAccount(configuration.timeZone)
      try service.warnOfLackingZones()
      service.server.start()
      service.adminServer.start()
      service.metricsServer?.start()
      service.others?.start()
      service.keepUp()
      service.watchPlace()
      world.track(.started(listeners: service.listeners.map(\.url)))
      return (service, Started(listeners: service.listeners, firstAccount: firstAccount))
    } catch {
      store.destroy()
      throw error
    }
  }

  /// The store, and where commands reach this server; nowhere where they reach the database itself.
  private static func open(
    _ configuration: Configuration, in world: World
  ) throws -> (Store, socket: String?) {
    let environment = StoreEnvironment(
      now: world.now, zone: world.zone, uptime: world.uptime, later: world.later,
      maximumGoals: configuration.maximumGoals,
      maximumLogBytes: configuration.maximumLogBytes,
      signUpLogBytes: configuration.signUpLogBytes,
      track: { world.track(.store($0)) })
    if SharedDatabase.isOne(configuration.database) {
      let database = try SharedDatabase(configuration.database, server: world.makeID())
      for warning in try database.check() { world.track(.store(.risk(warning))) }
      return (try database.store(environment: environment), configuration.adminSocket)
    }
    let database = try OwnedDatabase.claim(path: configuration.database, ifMissing: .create)
    let socket = configuration.adminSocket ?? adminSocket(besideDatabase: database.file.path)
    return (try Store.sqlite(database, environment: environment), socket)
  }

  /// Where it listens, with the ports that were picked.
  private let listeners: [ListenAddress]
  private let administration: Administration

  private init(
    _ store: Store, _ configuration: Configuration, _ world: World, _ metrics: Metrics
  ) throws {
    let queues = Queues()
    let authenticator = Authenticator(store: store, in: world)
    let access = Access(
      store: store, world: world, authenticator: authenticator,
      maximumAccounts: configuration.policy.maximumAccounts)
    let hub = ChangeHub(access, maximumFollowers: configuration.policy.accountStreams)
    let domain = makeDomain(
      access, queues: queues, waitingBy: hub.wait, receivers: [metrics.observe])
    gateway = Gateway(
      domain: domain, access: access, policy: configuration.policy, queues: queues, hub: hub,
      limits: configuration.gateway)
    others = OtherServers(access, hub)
    stopTimeout = configuration.stopTimeout
    var limits = configuration.limits
    limits.message.body = configuration.gateway.body
    limits.message.pathOfSlashes = Endpoint.pathOfZones
    let server = try Server(limits: limits, handler: gateway.handler)
    self.server = server
    listeners = try configuration.listeners.map {
      try server.listen(on: $0, mode: configuration.socketMode)
    }
    administration = Administration(
      domain, in: world,
      address: configuration.policy.publicURL?.description
        ?? listeners.first { $0.isInternet }?.url)
    metricsServer =
      configuration.metricsListeners.isEmpty
      ? nil
      : try Server(
        handler: MetricsListener(
          metrics: metrics, domain: domain, gauges: store.upkeep.gauges,
          statistics: { server.statistics }, silence: { authenticator.silence },
          version: configuration.version, uptime: world.uptime
        ).handler)
    adminServer = try Server(
      handler: AdminSocket(administration: administration).handler)
    self.store = store
    self.world = world
    self.authenticator = authenticator
    store.updated.observe(withContext: self) { service, commit in service.world.record(commit) }
  }

  private func listenForCommands(at socket: String) throws {
    do throws(ListenError) {
      try adminServer.listen(on: .unix(path: socket), mode: 0o600)
    } catch {
      throw AdminError("\(error.description) --admin-socket names another place for commands.")
    }
  }

  private func makeFirstAccount(_ timeZone: String?) throws -> AdminReply.NewAccount? {
    // Of servers that start together each would make one.
    guard store.others == nil, try store.book.accounts().isEmpty else { return nil }
    return try administration.addAccount(Self.firstAccount, timeZone: timeZone)
  }

  private func warnOfLackingZones() throws(StoreError) {
    let counts = try store.book.timeZones().values.reduce(into: [ZoneName: Int]()) {
      $0[$1, default: 0] += 1
    }
    for (name, count) in counts.sorted(by: { $0.key < $1.key }) where world.zone(name).zone == nil {
      world.track(.lackingZone(name, accounts: count))
    }
  }

  /// Tells the store, every minute, when tokens were last used, and the log what it is not told one
  /// by one, such as connections that were turned away: that would let strangers fill it.
  private func keepUp(turnedAway before: Int = 0) {
    world.later(Self.upkeepInterval, gateway.queues.probes) { [weak self] in
      guard let self, !gateway.isDraining else { return }
      recordUses()
      let turnedAway = server.statistics.connectionsTurnedAway
      if turnedAway > before { world.track(.turnedAway(connections: turnedAway - before)) }
      world.track(.minutePassed)
      keepUp(turnedAway: turnedAway)
    }
  }

  /// Looks every second whether the database is in its place, also while nobody writes: what a log
  /// holds that was removed is lost once the process is killed. The store saves that, and says why
  /// it takes no more edits, when it is asked to write.
  private func watchPlace(before wasInPlace: Bool = true) {
    world.later(.seconds(1), gateway.queues.probes) { [weak self] in
      guard let self, !gateway.isDraining else { return }
      let isInPlace = (try? store.upkeep.checkPlace()) != nil
      if wasInPlace, !isInPlace { _ = world.catching(store.upkeep.probe) }
      watchPlace(before: isInPlace)
    }
  }

  private func recordUses() {
    // Uses that can't be recorded are kept until the next time.
    _ = world.catching(authenticator.recordUses)
  }

  /// Stops accepting, finishes the requests that have begun, writes the log back, and is done.
  package func stop(completion: @escaping @Sendable () -> Void) {
    guard gateway.beginDraining() else { return }
    world.track(.draining)
    others?.stop()
    gateway.hub.close()
    let done = DispatchGroup()
    for server in [server, adminServer, metricsServer].compactMap(\.self) {
      done.enter()
      server.drain(within: stopTimeout) { done.leave() }
    }
    done.notify(queue: gateway.queues.probes) { [self] in
      recordUses()
      store.destroy()
      world.track(.stopped)
      completion()
    }
  }
}

extension ListenAddress {
  fileprivate var isInternet: Bool {
    switch self {
    case .internet: true
    case .unix: false
    }
  }
}
