import ArgumentParser
import CSystem
import Glibc
import GoalsCore
import GoalsService
import GoalsStore
import HTTPServer
import Logging
import Terminal

/// `goals serve`.
struct Serve: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Serve the goals of a database over HTTP.",
    discussion: """
      Every flag is also an environment variable: --listen is GOALS_LISTEN. Those that may be given \
      several times are separated by commas there. A variable GOALS_… that is no flag's is an error.
      """)

  @OptionGroup var database: DatabaseOptions

  @Option(help: "Where to listen: HOST:PORT or unix:/path. May be given several times.")
  var listen = ["127.0.0.1:8080"]

  @Option(
    help: """
      The permissions of the sockets' files of unix:/path, in octal digits: who may connect there.
      """)
  var socketMode = FileMode(bits: 0o660)

  @Option(help: "The time zone of the account that the first start makes (default: the machine's).")
  var timeZone: String?

  @Option(help: "trace, debug, info, notice, warning, error or critical.")
  var logLevel: Logger.Level = .info

  @Option(help: "How the log is written: text or json.")
  var logFormat: LogFormat = .text

  @Option(help: "Where metrics are read, at /metrics: HOST:PORT or unix:/path (default: nowhere).")
  var metricsListen: String?

  enum LogFormat: String, ExpressibleByArgument { case text, json }

  @OptionGroup var access: AccessOptions
  @OptionGroup(title: "Limits") var limits: LimitOptions

  func validate() throws {
    for address in listen where ListenAddress(address) == nil {
      throw ValidationError("--listen takes HOST:PORT or unix:/path, not \(address).")
    }
    if let metricsListen, ListenAddress(metricsListen) == nil {
      throw ValidationError("--metrics-listen takes HOST:PORT or unix:/path, not \(metricsListen).")
    }
    if let refusal = timeZone.flatMap(World.live(track: { _ in }).refusal) {
      throw ValidationError("--time-zone: \(refusal).")
    }
    try access.validate()
    try limits.validate()
  }

  func run() throws {
    csystem_limit_memory_pools()
    // A thread of libdispatch asks for a priority that only root may have, and would tell the
    // system's log at each start that it has none. To see that log,
    // set the variable.
    setenv("LIBDISPATCH_LOG", "NO", 0)
    LoggingSystem.bootstrap { [logFormat, jsonLog] label in
      switch logFormat {
      case .text: StreamLogHandler.standardError(label: label)
      case .json: jsonLog
      }
    }
    var logger = Logger(label: "goals")
    logger.logLevel = logLevel
    do {
      try serve(logger)
    } catch let failure as CommandFailure where logFormat == .json && !failure.isQuiet {
      logger.critical("\(failure.sentence)")
      Glibc.exit(failure.code)
    }
  }

  private func serve(_ logger: Logger) throws {
    let signals = StopSignals()
    if !database.isShared { try Owner.become(ofDatabase: database.database) }
    let log = HappeningLog(logger: logger, uptime: World.live(track: { _ in }).uptime)
    let world = World.live(track: log.log)
    if let variable = getenv("TZ").map({ String(cString: $0) }),
      let fault = world.machineZoneFault(variable: variable)
    {
      let zone = world.machineZone()
      logger.warning(
        "TZ is passed over: \(fault.shown(within: 300)). The machine's zone is \(zone).")
    }
    let service = try start(in: world)
    signals.wait()
    service.stop { Glibc.exit(0) }
    while true { signals.wait() }
  }

  /// Says something on standard output, in the format of the log.
  private func say(_ sentence: String) throws {
    switch logFormat {
    case .text: try StandardOutput.write(sentence + "\n")
    case .json: try StandardOutput.write(jsonLog.line(.info, sentence))
    }
  }

  private var jsonLog: JSONLogHandler { JSONLogHandler(now: World.live(track: { _ in }).now) }

  private func start(in world: World) throws -> Service {
    do {
      let (service, started) = try Service.start(configuration, in: world)
      for address in started.listeners {
        try say("Listening on \(address.url)")
      }
      if let account = started.firstAccount, let link = account.link {
        let sameDatabase =
          EnvironmentFlags.value(of: "database") == nil && database.database != "goals.sqlite"
          ? " --database \(database.database)" : ""
        try say("Sign in at \(SignInLink(link).text)")
        try say(
          "This link works once, within 24 hours; goals token add \(account.name) --name NAME --link"
            + "\(sameDatabase) makes another.")
        try say("A token for curl: goals token add \(account.name) --name curl\(sameDatabase)")
        try say(
          "The account \(account.name) is in the time zone \(account.timeZone) "
            + "(goals account set \(account.name) --time-zone ZONE changes it).")
      }
      return service
    } catch let error as OpeningError {
      throw CommandFailure(error.description + Self.containerHint(for: error))
    } catch let error as ListenError {
      throw CommandFailure(error.description)
    } catch let error as AdminError {
      throw CommandFailure(error.sentence)
    } catch let error as SharedDatabase.Refusal {
      throw CommandFailure(error.description)
    } catch StoreError.corrupt(let fault) where !database.isShared {
      throw CommandFailure(OpeningError.damage(of: database.database, fault))
    } catch let error as StoreError {
      throw CommandFailure(error.description)
    }
  }

  /// What mends a folder of another user where the server runs in a container, which can't do it
  /// itself. Nothing elsewhere.
  private static func containerHint(for error: OpeningError) -> String {
    guard case .noAccess(_, let user, _) = error,
      ["/.dockerenv", "/run/.containerenv"].contains(where: isThere)
    else { return "" }
    return " This is a container: do that on its host, with the folder that is mounted there: "
      + "sudo chown -R \(user):\(user) FOLDER"
  }

  private static func isThere(_ path: String) -> Bool { Glibc.access(path, F_OK) == 0 }

  private var configuration: Service.Configuration {
    var configuration = Service.Configuration()
    configuration.version = Goals.version
    configuration.database = database.database
    configuration.listeners = listen.compactMap { ListenAddress($0) }
    configuration.metricsListeners = metricsListen.flatMap { ListenAddress($0) }.map { [$0] } ?? []
    configuration.socketMode = socketMode.bits
    configuration.adminSocket = database.adminSocket
    configuration.timeZone = timeZone
    access.apply(to: &configuration.policy)
    limits.apply(to: &configuration)
    return configuration
  }
}

extension Logger.Level: @retroactive ExpressibleByArgument {}
