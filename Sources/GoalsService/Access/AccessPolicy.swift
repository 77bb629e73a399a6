/// The operator's rules: which callers are let in, and how often a client may try.
package struct AccessPolicy: Sendable {
  /// The address that people type to reach the server; nil for the host that a request names.
  package var publicURL: Origin?
  /// The origins whose pages may read answers.
  package var crossOrigins: [Origin] = []
  package var isSignUpOpen = false
  /// Sign-up makes no account where there are so many already.
  package var maximumAccounts = 10_000
  /// Accounts made by sign-up an hour and a client address, which may be that of a whole office;
  /// 0 for any number.
  package var signUps = 20
  /// Whether the last proxy is believed about the address of a client and the scheme of its
  /// request.
  package var trustsProxy = false
  /// Failed sign-ins a minute and a client address; 0 for any number.
  package var failedSignIns = 10
  /// Requests a second of a token, and of a client address sign-ups and requests that show a
  /// credential in the body. 0 stands for any
  /// number, also of sign-ups an hour.
  package var rateLimit = 100
  /// Requests that a token may make at once.
  package var rateBurst = 200
  /// Counts a minute of a token that may only bump, which is to be pressed by a finger; 0 for any
  /// number.
  package var buttonRate = 60
  /// All tokens of an account together may make as many requests as this number of tokens, so that
  /// more tokens bring no more requests. That is as many devices as one household has at full speed
  /// in the same moment.
  package static let tokensOfAccount = 4
  /// Streams and waiting requests of an account: eight people with four devices each, and two open
  /// on every one. What may be queued to all of them is 16 MiB.
  package var accountStreams = 64
  /// Connections of an account: sixteen for each of those devices, and an eighth of all that the
  /// server has by default.
  package var accountConnections = 512

  package init() {}
}
