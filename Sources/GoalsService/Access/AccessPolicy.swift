/// Who may come in, and how often someone may try: what an operator decides.
package struct AccessPolicy: Sendable {
  /// What people type to get here; nil for the host that a request names.
  package var publicURL: Origin?
  /// Whose pages may read what is answered.
  package var crossOrigins: [Origin] = []
  package var isSignUpOpen = false
  /// How many accounts there may be for another to be made by sign-up.
  package var maximumAccounts = 10_000
  /// Sign-ups an hour and a client address, which may be that of a whole office; 0 for any number.
  package var signUps = 20
  /// Whether the last proxy is believed about who a client is and how it came.
  package var trustsProxy = false
  /// A minute and a client address; 0 for any number.
  package var failedSignIns = 10
  /// Requests a second of a token, and sign-ups of a client address; 0 for any number, also an
  /// hour.
  package var rateLimit = 100
  /// Requests that a token may make at once.
  package var rateBurst = 200
  /// How many tokens' worth of requests all of an account's may make together, so that making
  /// tokens brings no more: as many devices as one household has at full speed in the same moment.
  package static let tokensOfAccount = 4
  /// Streams and waiting requests of an account: eight people with four devices each, and two open
  /// on every one. What may be queued to all of them is 16 MiB.
  package var accountStreams = 64
  /// Connections of an account: four for each of those, and an eighth of all that the server has by
  /// default.
  package var accountConnections = 512

  package init() {}
}
