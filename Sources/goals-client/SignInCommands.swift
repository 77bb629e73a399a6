import ArgumentParser
import Foundation
import GoalsClient
import GoalsCore
import GoalsWire
import JSON
import Synchronization
import Terminal

/// `goals login`.
struct Login: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Sign in to a server, and read what the account has.",
    discussion: """
      URL is a sign-in link, such as the server printed or `goals token add --link` prints, or the \
      server's address: then a token is asked for, and other people of this machine can't read it \
      among the processes.
      """)

  @Argument(help: "The sign-in link, or the server's address.") var url: String
  @Option(help: "What to call this device, with a sign-in link (default: as the link does).")
  var name: String?
  @Flag(help: "Send the token over http://, too, where others can read it on the way.")
  var insecure = false

  func run() async throws {
    let (server, secret) = try Self.parts(of: url)
    guard insecure || server.scheme == "https" || server.isLoopback else {
      throw CommandFailure(
        "Over http:// everybody on the way can read the token. Use https://, or say --insecure.")
    }
    let token: String
    switch secret {
    case .token(let given): token = given
    case .code(let code): token = try await Self.token(by: code, called: name, at: server)
    case nil: token = try Password.ask("Token: ")
    }
    guard !token.isEmpty else { throw CommandFailure("Without a token nobody can sign in.") }
    guard token.utf8.allSatisfy({ (0x21...0x7e).contains($0) }) else {
      throw CommandFailure("That is no token: one has letters, digits and signs without spaces.")
    }
    let plain = "http" + server.absoluteString.dropFirst("https".count)
    let hint = url.contains("://") ? "" : " Is it \(plain), without TLS?"
    let link = ServerLink(to: server, patience: .seconds(30))
    link.use(token)
    let (account, scope) = try await Self.account(over: link, at: server, hint: hint)
    if case .token = secret {
      StandardError.write(
        "goals: the link holds a token that lasts. `goals token add --link` makes links that work "
          + "once.\n")
    }
    let before = try? SignIn.read()
    let signIn = SignIn(server: server.absoluteString, token: token, account: account)
    let session = try Session(signIn)
    session.signIn()
    // Where another process leads, and waits for a token, this one has nothing to wait for.
    let leads = session.client.status.current.leads
    await session.meet(atMost: leads ? Session.patienceAtFirst : Session.patience)
    guard session.client.status.current.account == account else {
      throw CommandFailure("\(server) answered, and then could not be reached: try again.")
    }
    // What was read is written in a moment.
    session.client.network.settle()
    if let fault = session.client.fault { throw CommandFailure("I \(fault).") }
    try signIn.write()
    if let before, before.account != account { Self.tellOfEdits(of: before) }
    let count = session.client.goals.current.items.count
    try StandardOutput.write(
      "Signed in at \(server). The account has \(count) goal\(count == 1 ? "" : "s")."
        + (scope == "read" ? " This token may only read.\n" : "\n"))
    try session.close()
  }

  /// Says that edits wait of the account that was signed in before.
  private static func tellOfEdits(of other: SignIn) {
    guard let client = try? Session(other).client else { return }
    let count = client.status.current.unsent.count
    client.close()
    guard count > 0 else { return }
    let edits = count == 1 ? "1 edit" : "\(count) edits"
    StandardError.write(
      "goals: \(edits) of the other account still wait\(count == 1 ? "s" : "") on this machine.\n")
  }

  /// What a sign-in link carries.
  enum Secret: Equatable {
    case token(String)
    case code(String)
  }

  /// The server's address, and the secret of a sign-in link. What is said of a wrong one has no
  /// secret of it: no token, and no password.
  static func parts(of text: String) throws -> (URL, Secret?) {
    if text.hasPrefix("goals_"), !text.contains(where: { ":/.".contains($0) }) {
      throw CommandFailure(
        "That is a token. Say the server's address, and give the token when it is asked for: "
          + "`goals login https://goals.example`.")
    }
    let full = text.contains("://") ? text : "https://\(text)"
    let shown = text.contains("@") ? "That" : String(text.prefix { $0 != "#" && $0 != "?" })
    let noAddress = CommandFailure(
      "\(shown) is no address of a server, such as https://goals.example.")
    guard var parts = URLComponents(string: full), let host = parts.host, !host.isEmpty,
      parts.scheme == "https" || parts.scheme == "http"
    else { throw noAddress }
    guard parts.user == nil, parts.password == nil else {
      throw CommandFailure("Leave out what is before the @ of the address: a token signs you in.")
    }
    let fragment = (parts.fragment ?? "").split(separator: "=", maxSplits: 1).map { part in
      part.removingPercentEncoding ?? String(part)
    }
    let secret: Secret? =
      switch (fragment.first, fragment.dropFirst().first) {
      case ("token", let token?): .token(token)
      case ("code", let code?): .code(code)
      // NB: open: other words.
      default: nil
      }
    parts.fragment = nil
    parts.query = nil
    if parts.path == "/" { parts.path = "" }
    guard let server = parts.url else { throw noAddress }
    return (server, secret)
  }

  /// The token that a link's code makes. The code works no second time.
  private static func token(
    by code: String, called name: String?, at server: URL
  ) async throws -> String {
    var json = JSONWriter()
    json.object { json in
      json.member("code", code)
      if let name { json.member("name", name) }
    }
    let link = ServerLink(to: server, patience: .seconds(30))
    let answer = try await answer(
      over: link, at: server, "POST", "/v1/tokens", json.bytes,
      unknown: "The link is not valid any more: it was used, or is too old. Make another with "
        + "`goals token add --link`.")
    var object = ObjectReader(answer)
    guard let token = object.required("token", .string) else { throw noServer(server) }
    return token
  }

  private static let countsOnly = CommandFailure(
    "This token may only count one goal: make one with `goals token add` that has no --goal.")

  /// Whose token it is, and what it may do.
  ///
  /// - Parameter hint: what a person may have meant, where no server answers.
  private static func account(
    over link: ServerLink, at server: URL, hint: String
  ) async throws -> (Account.ID, scope: String) {
    let answer = try await answer(
      over: link, at: server, "GET", "/v1/token", unknown: "The server does not know this token.",
      hint: hint)
    var object = ObjectReader(answer)
    let scope = object.required("scope", .string) ?? ""
    if scope == "bump" { throw countsOnly }
    guard let account = object.required("account", .id()) as Account.ID? else {
      throw noServer(server)
    }
    return (account, scope)
  }

  private static func noServer(_ server: URL) -> CommandFailure {
    CommandFailure("What answers at \(server) is no Goals server.")
  }

  /// The answer to the one request of a link, where it is the one that was hoped for.
  ///
  /// - Parameters:
  ///   - unknown: what is said where the server does not know the token or the code.
  ///   - hint: what a person may have meant, where no server answers.
  private static func answer(
    over link: ServerLink, at server: URL, _ method: String, _ target: String,
    _ body: [UInt8]? = nil, unknown: String, hint: String = ""
  ) async throws -> JSONValue {
    let answer = await withCheckedContinuation { continuation in
      link.send(method, target, body) { continuation.resume(returning: $0) }
    }
    link.close()
    guard let answer else {
      throw CommandFailure("\(sentence(of: link.fault, at: server))\(hint)")
    }
    let root = try? JSONDocument(parsing: answer.body).root
    var object = root.map { ObjectReader($0) }
    let isOfServer = object?.take("code") != nil
    switch answer.status {
    case 200, 201:
      guard let root else { throw noServer(server) }
      return root
    case 401 where !isOfServer, 403 where !isOfServer:
      throw CommandFailure("Something between here and \(server) refused (\(answer.status)).")
    case 401: throw CommandFailure(unknown)
    case 403: throw countsOnly
    case 409, 422:
      guard let detail = object?.optional("detail", .string) else { throw noServer(server) }
      let faults = object?.first("errors")?.elements.map(Array.init) ?? []
      let details = faults.compactMap { fault in
        ObjectReader(fault).first("detail")?.string.map { String($0) }
      }
      throw CommandFailure(
        "The server refuses it: \(details.isEmpty ? detail : details.joined(separator: "; "))")
    case 429, 500...599:
      if !isOfServer, 502...504 ~= answer.status {
        throw CommandFailure(
          "The server behind \(server) does not answer (\(answer.status)): try again later.")
      }
      guard isOfServer else { fallthrough }
      let wait = answer.fields.retryAfter.flatMap { UInt16($0) }.map { " in \($0) s" } ?? " later"
      throw CommandFailure(
        answer.status == 500
          ? "The server at \(server) has failed (500): its log says why."
          : "The server at \(server) asks for time (\(answer.status)): try again\(wait).")
    // NB: open: a switch over numbers.
    default: throw CommandFailure("What answers at \(server) is no Goals server: \(answer.status).")
    }
  }

  private static func sentence(of fault: LinkFault?, at server: URL) -> String {
    let host = server.host ?? ""
    switch fault {
    case .unknownHost: return "There is no host \(host): nobody knows its address."
    case .refused: return "No server answers at \(server): the host refuses the connection."
    case .untrusted:
      return "The certificate of \(host) is not trusted here: it is signed by an authority that "
        + "this machine does not know, for another host, or expired. SSL_CERT_FILE names a file "
        + "with yours."
    case .noAuthorities:
      let file = getenv("SSL_CERT_FILE").map { String(cString: $0) }
      return "The certificates to trust can't be read: \(file ?? "the system's file is missing")."
    case nil: return "No server answers at \(server)."
    }
  }
}

extension URL {
  /// Whether nothing that is sent there leaves the machine.
  fileprivate var isLoopback: Bool {
    let host = (host ?? "").lowercased()
    return host == "localhost" || host.hasSuffix(".localhost") || host == "::1" || host == "[::1]"
      || host.hasPrefix("127.") && host.allSatisfy { $0.isNumber || $0 == "." }
  }
}

/// A secret that a person types.
enum Password {
  /// Reads a line from standard input; a terminal does not show it.
  static func ask(_ question: String) throws -> String {
    guard isatty(STDIN_FILENO) == 1 else { return readLine() ?? "" }
    var settings = termios()
    guard tcgetattr(STDIN_FILENO, &settings) == 0 else { return readLine() ?? "" }
    var silent = settings
    silent.c_lflag &= ~tcflag_t(ECHO)
    let registrations = DispatchSemaphore(value: 0)
    // A signal that interrupts the program puts the terminal back as it was.
    var signals = [SIGINT, SIGTERM, SIGQUIT].map { number in
      hear(number, registrations) { [settings] in
        set(settings)
        StandardError.write("\n")
        signal(number, SIG_DFL)
        kill(getpid(), number)
      }
    }
    // So does a signal that stops the program, until it goes on.
    signals.append(
      hear(SIGTSTP, registrations) { [settings] in
        set(settings)
        StandardError.write("\n")
        kill(getpid(), SIGSTOP)
      })
    signals.append(
      hear(SIGCONT, registrations) { [silent] in
        set(silent)
        StandardError.write(question)
      })
    // A signal that comes before its source is registered is lost.
    for _ in signals { registrations.wait() }
    StandardError.write(question)
    tcsetattr(STDIN_FILENO, TCSAFLUSH, &silent)
    defer {
      for (number, source) in signals {
        source.cancel()
        signal(number, SIG_DFL)
      }
      tcsetattr(STDIN_FILENO, TCSAFLUSH, &settings)
      StandardError.write("\n")
    }
    return readLine() ?? ""
  }

  private static func hear(
    _ number: Int32, _ registrations: DispatchSemaphore, _ body: @escaping @Sendable () -> Void
  ) -> (Int32, any DispatchSourceSignal) {
    signal(number, SIG_IGN)
    let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
    source.setRegistrationHandler { registrations.signal() }
    source.setEventHandler(handler: body)
    source.activate()
    return (number, source)
  }

  private static func set(_ settings: termios) {
    var settings = settings
    tcsetattr(STDIN_FILENO, TCSANOW, &settings)
  }
}
