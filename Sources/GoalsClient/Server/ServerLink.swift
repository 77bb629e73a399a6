import Foundation
import GoalsEngine
import Synchronization

/// Why a server can't be reached.
package enum LinkFault: Hashable, Sendable {
  /// No name server knows the host.
  case unknownHost
  /// Nobody listens there.
  case refused
  /// The certificate is signed by nobody whom this machine trusts, is another host's, or too old.
  case untrusted
  /// The file of trusted authorities can't be read.
  case noAuthorities
}

/// The way to one server: requests, and a stream.
///
/// What it calls back comes on a thread of its own, one after the other.
package final class ServerLink: Sendable {
  /// An answer to a request.
  package struct Answer: Sendable {
    package let status: Int
    package let fields: AnswerFields
    package let body: [UInt8]
  }

  /// What is heard of a stream.
  enum Heard: Sendable {
    case event(EventStream.Event)
    /// `began`: it was a stream of events, and not another answer or none.
    case ended(began: Bool)
  }

  /// The largest answer: a page has at most 1000 edits, and the largest of them come in a request
  /// of 4 MiB.
  static let maximum = 64 << 20

  private let server: String
  /// How long an answer may take that comes bit by bit.
  private let longest: Duration
  private let after: @Sendable (Duration, DispatchQueue, @escaping @Sendable () -> Void) -> Void
  private let exchanges = Exchanges()
  let transport: LinkTransport
  private let token = Mutex<String?>(nil)

  /// - Parameter patience: how long nothing may come. A stream says something every 15 seconds, and
  ///   a long poll is answered after 30.
  package init(to server: URL, patience: Duration, world: ClientWorld = .live) {
    let address = server.absoluteString
    self.server = address.hasSuffix("/") ? String(address.dropLast()) : address
    after = world.after
    longest = patience * 4
    transport = LinkTransport(telling: exchanges, patience: patience, world: world)
  }

  deinit { transport.close() }

  /// Why the last request that failed had no answer; nil where that is not known.
  package var fault: LinkFault? { exchanges.fault }

  package func use(_ token: String?) { self.token.withLock { $0 = token } }

  /// Calls back with nil where there is no answer.
  func send(_ request: RequestHead, _ done: @escaping @Sendable (Answer?) -> Void) {
    send(request.method, request.target, request.body, done)
  }

  package func send(
    _ method: String, _ target: String, _ body: [UInt8]? = nil,
    _ done: @escaping @Sendable (Answer?) -> Void
  ) {
    begin(method, target, body, .answer(done))
  }

  /// Asks and waits, until there is an answer or `unfollow` is called.
  func poll(_ target: String, _ done: @escaping @Sendable (Answer?) -> Void) {
    begin("GET", target, nil, .poll(done))
  }

  /// Follows a stream until it ends or `unfollow` is called.
  func follow(_ target: String, _ hear: @escaping @Sendable (Heard) -> Void) {
    begin("GET", target, nil, .stream(hear))
  }

  /// Ends what follows the log. Nothing more is heard of it.
  func unfollow() { transport.cancel(exchanges.forgetFollowing()) }

  /// Ends everything. Nothing more is heard of it, nor of what is begun after it.
  package func close() {
    exchanges.close()
    transport.close()
  }

  private func begin(
    _ method: String, _ target: String, _ body: [UInt8]?, _ purpose: Exchanges.Purpose
  ) {
    guard let id = exchanges.add(purpose) else { return }
    var fields: [(name: String, value: String)] = []
    if body != nil { fields.append(("Content-Type", "application/json")) }
    if let token = token.withLock(\.self) { fields.append(("Authorization", "Bearer \(token)")) }
    let isStream = if case .stream = purpose { true } else { false }
    if isStream { fields.append(("Accept", "text/event-stream")) }
    // The target is encoded already, so it is put behind the address as it is.
    transport.begin(
      id, TransportRequest(method: method, url: server + target, fields: fields, body: body))
    if isStream { return }
    after(longest, .global()) { [weak exchanges, weak transport] in
      if exchanges?.end(id, isWhole: false) == true { transport?.cancel([id]) }
    }
  }
}
