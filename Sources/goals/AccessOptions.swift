import ArgumentParser
import GoalsService

/// What `goals serve` is told of who may come in, and by which way.
struct AccessOptions: ParsableArguments {
  @Option(
    help:
      "What people type to get here, behind a proxy or in a container: http:// or https:// and a host."
  )
  var publicURL: String?

  @Option(
    help:
      "A web page's origin, such as https://app.example, whose scripts may use the server. May be given several times."
  )
  var corsOrigin: [String] = []

  @Option(help: "Whether anyone may make an account: closed or open.")
  var signUp: SignUp = .closed

  @Flag(help: "Believe what the proxy in front says of clients (X-Forwarded-For and -Proto).")
  var trustProxy = false

  enum SignUp: String, ExpressibleByArgument { case closed, open }

  func validate() throws {
    if let publicURL, Origin(url: publicURL) == nil {
      throw ValidationError(
        "--public-url takes http:// or https://, a host and maybe a port, not \(publicURL).")
    }
    for origin in corsOrigin where Origin(url: origin) == nil {
      throw ValidationError(
        "--cors-origin takes http:// or https://, a host and maybe a port, not \(origin).")
    }
  }

  func apply(to policy: inout AccessPolicy) {
    policy.publicURL = publicURL.flatMap { Origin(url: $0) }
    policy.crossOrigins = corsOrigin.compactMap { Origin(url: $0) }
    policy.isSignUpOpen = signUp == .open
    policy.trustsProxy = trustProxy
  }
}
