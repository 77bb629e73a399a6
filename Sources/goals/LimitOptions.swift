import ArgumentParser
import GoalsCore
import GoalsService
import HTTPServer

/// The limits of `goals serve`.
struct LimitOptions: ParsableArguments {
  @Option(help: "The longest request line, in bytes.")
  var maxRequestLine = 8192
  @Option(help: "The largest header, in bytes.")
  var maxHeaderBytes = 16384
  @Option(help: "The most header fields.")
  var maxHeaderFields = 100
  @Option(help: "The largest body, in bytes.")
  var maxBody = 4_194_304
  @Option(help: "The largest export that is taken in, in bytes.")
  var maxImport = 67_108_864
  @Option(help: "The most edits in a batch.")
  var maxEdits = 1000
  @Option(help: "The most goals in an account's list.")
  var maxGoals = 1000
  @Option(
    help:
      "How many bytes an account's history may take; once it does, nothing more is recorded in it.")
  var maxAccountBytes = AccountState.maximumLogBytes
  @Option(help: "The most accounts with which another may be made by sign-up.")
  var maxAccounts = 10_000
  @Option(help: "The most connections at a time.")
  var maxConnections = 4096
  @Option(help: "The most connections of an account.")
  var maxAccountConnections = 512
  @Option(help: "The most streams and waiting requests of an account.")
  var maxAccountStreams = 64
  @Option(help: "How long a request's header may take, in seconds.")
  var headerTimeout = 10.0
  @Option(help: "How long a request's body may take, in seconds.")
  var bodyTimeout = 30.0
  @Option(help: "How long a connection may be idle, in seconds.")
  var idleTimeout = 75.0
  @Option(help: "How long requests that have begun may take once the server stops, in seconds.")
  var stopTimeout = 10.0
  @Option(help: "How much may be queued to a slow reader of a stream, in bytes.")
  var streamBuffer = 262_144

  @Option(
    help: """
      How many requests a second a token may make, an account four times as many, and sign-ups an \
      address; 0 for any number, of sign-ups also an hour.
      """)
  var rateLimit = 100
  @Option(help: "How many requests a token may make at once.")
  var rateBurst = 200
  @Option(
    help: "How often a minute a token of the scope bump may count; 0 for any number.")
  var buttonRate = 60
  @Option(
    help: "How often a minute a client address may fail to sign in; 0 for any number.")
  var failedSignIns = 10
  @Option(
    help: """
      How many accounts an hour a client address may make; 0, or a rate limit of 0, for any number.
      """)
  var signUps = 20

  func validate() throws {
    let rates = [
      ("rate-limit", rateLimit, 0), ("rate-burst", rateBurst, 1),
      ("button-rate", buttonRate, 0), ("failed-sign-ins", failedSignIns, 0),
      ("sign-ups", signUps, 0),
    ]
    for (name, value, least) in rates where !(least...1_000_000).contains(value) {
      throw ValidationError("--\(name) takes a whole number from \(least) to 1000000.")
    }
    let counts = [
      ("max-request-line", maxRequestLine), ("max-header-bytes", maxHeaderBytes),
      ("max-header-fields", maxHeaderFields), ("max-body", maxBody), ("max-import", maxImport),
      ("max-edits", maxEdits),
      ("max-goals", maxGoals), ("max-connections", maxConnections), ("stream-buffer", streamBuffer),
      ("max-account-connections", maxAccountConnections),
      ("max-account-streams", maxAccountStreams),
    ]
    for (name, value) in counts where !(1...1_073_741_824).contains(value) {
      throw ValidationError("--\(name) takes a whole number from 1 to 1073741824.")
    }
    guard maxGoals <= AccountState.maximumGoalsEverMade else {
      throw ValidationError("--max-goals can be at most \(AccountState.maximumGoalsEverMade).")
    }
    let large = [("max-account-bytes", maxAccountBytes), ("max-accounts", maxAccounts)]
    for (name, value) in large where !(1...1 << 40).contains(value) {
      throw ValidationError("--\(name) takes a whole number from 1 to \(1 << 40).")
    }
    let times = [
      ("header-timeout", headerTimeout), ("body-timeout", bodyTimeout),
      ("idle-timeout", idleTimeout), ("stop-timeout", stopTimeout),
    ]
    for (name, value) in times where !(value > 0 && value <= 86_400) {
      throw ValidationError("--\(name) takes seconds, more than 0 and at most 86400.")
    }
  }

  func apply(to configuration: inout Service.Configuration) {
    configuration.limits.message.requestLine = maxRequestLine
    configuration.limits.message.headerBytes = maxHeaderBytes
    configuration.limits.message.headerFields = maxHeaderFields
    configuration.limits.maxConnections = maxConnections
    configuration.limits.headerTimeout = .seconds(headerTimeout)
    configuration.limits.bodyTimeout = .seconds(bodyTimeout)
    configuration.limits.idleTimeout = .seconds(idleTimeout)
    configuration.stopTimeout = .seconds(stopTimeout)
    configuration.limits.streamBuffer = streamBuffer
    configuration.gateway.body = maxBody
    configuration.gateway.importBody = maxImport
    // One body gets half of the memory at most.
    configuration.limits.bodyMemory = max(configuration.limits.bodyMemory, 2 * maxImport)
    configuration.gateway.edits = maxEdits
    configuration.maximumGoals = maxGoals
    configuration.policy.accountConnections = maxAccountConnections
    configuration.policy.accountStreams = maxAccountStreams
    configuration.maximumLogBytes = maxAccountBytes
    configuration.policy.maximumAccounts = maxAccounts
    configuration.policy.signUps = signUps
    configuration.policy.rateLimit = rateLimit
    configuration.policy.rateBurst = rateBurst
    configuration.policy.buttonRate = buttonRate
    configuration.policy.failedSignIns = failedSignIns
  }
}
