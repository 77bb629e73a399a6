import Foundation
import GoalsEngine
import Synchronization

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The way to one server, over URLSession: requests, and a stream.
///
/// It follows no redirection, since the token would go with it. It keeps no cookies and caches
/// nothing. What it calls back comes on a queue of its own.
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

  private let server: URL
  /// How long an answer may take that comes bit by bit.
  private let longest: Duration
  private let after: @Sendable (Duration, DispatchQueue, @escaping @Sendable () -> Void) -> Void
  private let session: URLSession
  private let listener = ServerListener()
  private let token = Mutex<String?>(nil)

  /// - Parameter patience: how long nothing may come. A stream says something every 15 seconds, and
  ///   a long poll is answered after 30.
  package init(to server: URL, patience: Duration, world: ClientWorld = .live) {
    self.server = server
    after = world.after
    longest = patience * 4
    let configuration = URLSessionConfiguration.ephemeral
    configuration.httpCookieStorage = nil
    configuration.httpShouldSetCookies = false
    configuration.urlCache = nil
    configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
    configuration.timeoutIntervalForRequest = patience.seconds
    session = URLSession(configuration: configuration, delegate: listener, delegateQueue: nil)
  }

  deinit { session.invalidateAndCancel() }

  package func use(_ token: String?) { self.token.withLock { $0 = token } }

  /// Calls back with nil where there is no answer.
  func send(_ request: RequestHead, _ done: @escaping @Sendable (Answer?) -> Void) {
    send(request.method, request.target, request.body, done)
  }

  package func send(
    _ method: String, _ target: String, _ body: [UInt8]? = nil,
    _ done: @escaping @Sendable (Answer?) -> Void
  ) {
    guard let request = request(method, target, body) else { return done(nil) }
    begin(request, .answer(done))
  }

  /// Asks and waits, until there is an answer or `unfollow` is called.
  func poll(_ target: String, _ done: @escaping @Sendable (Answer?) -> Void) {
    guard let request = request("GET", target, nil) else { return done(nil) }
    begin(request, .poll(done))
  }

  /// Follows a stream until it ends or `unfollow` is called.
  func follow(_ target: String, _ hear: @escaping @Sendable (Heard) -> Void) {
    guard var request = request("GET", target, nil) else { return hear(.ended(began: false)) }
    request.setValue("text/event-stream", forHTTPHeaderField: "Accept")
    begin(request, .stream(hear))
  }

  /// Ends what follows the log. Nothing more is heard of it.
  func unfollow() { listener.forget(all: false).forEach { $0.cancel() } }

  /// Ends everything. Nothing more is heard of it.
  package func close() {
    listener.forget(all: true).forEach { $0.cancel() }
    session.invalidateAndCancel()
  }

  private func begin(_ request: URLRequest, _ purpose: ServerListener.Purpose) {
    let task = session.dataTask(with: request)
    listener.expect(task, purpose)
    task.resume()
    if case .stream = purpose { return }
    after(longest, .global()) { [weak listener = listener] in listener?.giveUp(task) }
  }

  private func request(_ method: String, _ target: String, _ body: [UInt8]?) -> URLRequest? {
    // The target is encoded already, so it is put behind the address as it is.
    let base = server.absoluteString
    let trimmed = base.hasSuffix("/") ? String(base.dropLast()) : base
    guard let url = URL(string: trimmed + target) else { return nil }
    var request = URLRequest(url: url)
    request.httpMethod = method
    request.httpBody = body.map { Data($0) }
    if body != nil { request.setValue("application/json", forHTTPHeaderField: "Content-Type") }
    if let token = token.withLock(\.self) {
      request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization")
    }
    return request
  }
}
