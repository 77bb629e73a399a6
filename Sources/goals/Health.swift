import ArgumentParser
import GoalsService
import HTTPServer
import Terminal

/// `goals health`.
struct Health: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Exit with 0 if the server takes requests and its database takes writes.")

  /// How long a healthy server may take, in seconds.
  private static let patience = 5

  @Argument(
    help: """
      Where the server is: HOST:PORT, http://HOST:PORT, unix:/path or /path (default: where GOALS_LISTEN \
      says, else 127.0.0.1:8080).
      """)
  var url: String?

  func run() throws {
    guard let address = address else {
      throw ValidationError(
        "The server is at HOST:PORT, http://HOST:PORT or unix:/path, not \(url ?? "GOALS_LISTEN").")
    }
    let answer = try PlainHTTP.exchange(
      method: "GET", path: "/readyz", body: nil, with: address, patience: Self.patience)
    guard answer.status == 200 else {
      throw CommandFailure("The server is not ready: it answered \(answer.status).")
    }
    try StandardOutput.write("ready\n")
  }

  private var address: ListenAddress? {
    guard let url else {
      let first = EnvironmentFlags.value(of: "listen")?.split(separator: ",").first
      return ListenAddress(first.map(String.init) ?? "127.0.0.1:8080")?.loopback
    }
    if url.hasPrefix("/") { return .unix(path: url) }
    guard url.hasPrefix("http://") else {
      let address = url.hasSuffix("/") ? String(url.dropLast()) : url
      return ListenAddress(address)?.loopback
    }
    let authority = url.dropFirst("http://".count).prefix { $0 != "/" }
    return (ListenAddress(String(authority)) ?? ListenAddress("\(authority):80"))?.loopback
  }
}

extension ListenAddress {
  /// Where this machine reaches a server that listens on every address.
  fileprivate var loopback: ListenAddress {
    switch self {
    case .internet("0.0.0.0", let port): .internet(host: "127.0.0.1", port: port)
    case .internet("::", let port): .internet(host: "::1", port: port)
    case .internet, .unix: self
    }
  }
}
