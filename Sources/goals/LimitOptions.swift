import ArgumentParser
import GoalsCore
import GoalsService
import HTTPServer

/// The limits of `goals serve`.
struct LimitOptions: ParsableArguments {
  @Option(help: "The longest request line; a size \(ByteCount.help).")
  var maxRequestLine = ByteCount(8192)
  @Option(help: "The largest header; a size.")
  var maxHeaderBytes = ByteCount(16384)
  @Option(help: "The most header fields.")
  var maxHeaderFields = 100
  @Option(help: "The largest body; a size.")
  var maxBody = ByteCount(4_194_304)
  @Option(help: "The largest export that is taken in; a size.")
  var maxImport = ByteCount(67_108_864)
  @Option(help: "The most edits in a batch.")
  var maxEdits = 1000
  @Option(help: "The most goals in an account's list.")
  var maxGoals = 1000
  @Option(
    help: """
      How much an account's history may take, a size; once it does, nothing more is recorded in it.
      """)
  var maxAccountBytes = ByteCount(AccountState.maximumLogBytes)
  @Option(help: "The same of an account that was made by sign-up, where it is less.")
  var signUpBytes = ByteCount(AccountState.maximumSignUpLogBytes)
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
  @Option(help: "How much may be queued to a slow reader of a stream; a size.")
  var streamBuffer = ByteCount(262_144)

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
      ("max-header-fields", maxHeaderFields), ("max-edits", maxEdits), ("max-goals", maxGoals),
      ("max-connections", maxConnections), ("max-account-connections", maxAccountConnections),
      ("max-account-streams", maxAccountStreams),
    ]
    for (name, value) in counts where !(1...1_073_741_824).contains(value) {
      throw ValidationError("--\(name) takes a whole number from 1 to 1073741824.")
    }
    guard maxGoals <= AccountState.maximumGoalsEverMade else {
      throw ValidationError("--max-goals can be at most \(AccountState.maximumGoalsEverMade).")
    }
    guard (1...1 << 40).contains(maxAccounts) else {
      throw ValidationError("--max-accounts takes a whole number from 1 to \(1 << 40).")
    }
    let sizes = [
      ("max-request-line", maxRequestLine, "1GiB"), ("max-header-bytes", maxHeaderBytes, "1GiB"),
      ("max-body", maxBody, "1GiB"), ("max-import", maxImport, "1GiB"),
      ("stream-buffer", streamBuffer, "1GiB"), ("max-account-bytes", maxAccountBytes, "1TiB"),
      ("sign-up-bytes", signUpBytes, "1TiB"),
    ]
    for (name, value, most) in sizes
    where !(1...(ByteCount(argument: most)?.bytes ?? 1)).contains(value.bytes) {
      throw ValidationError("--\(name) takes a size from 1 byte to \(most), such as 5GB or 512MiB.")
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
    configuration.limits.message.requestLine = maxRequestLine.bytes
    configuration.limits.message.headerBytes = maxHeaderBytes.bytes
    configuration.limits.message.headerFields = maxHeaderFields
    configuration.limits.maxConnections = maxConnections
    configuration.limits.headerTimeout = .seconds(headerTimeout)
    configuration.limits.bodyTimeout = .seconds(bodyTimeout)
    configuration.limits.idleTimeout = .seconds(idleTimeout)
    configuration.stopTimeout = .seconds(stopTimeout)
    configuration.limits.streamBuffer = streamBuffer.bytes
    configuration.gateway.body = maxBody.bytes
    configuration.gateway.importBody = maxImport.bytes
    // One body gets half of the memory at most.
    configuration.limits.bodyMemory = max(configuration.limits.bodyMemory, 2 * maxImport.bytes)
    configuration.gateway.edits = maxEdits
    configuration.maximumGoals = maxGoals
    configuration.policy.accountConnections = maxAccountConnections
    configuration.policy.accountStreams = maxAccountStreams
    configuration.maximumLogBytes = maxAccountBytes.bytes
    configuration.signUpLogBytes = signUpBytes.bytes
    configuration.policy.maximumAccounts = maxAccounts
    configuration.policy.signUps = signUps
    configuration.policy.rateLimit = rateLimit
    configuration.policy.rateBurst = rateBurst
    configuration.policy.buttonRate = buttonRate
    configuration.policy.failedSignIns = failedSignIns
  }
}
