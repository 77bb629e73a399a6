#if canImport(Darwin) || GOALS_URLSESSION
import Foundation
import GoalsEngine
import Synchronization

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Carries requests by URLSession, where the system has no libcurl for programs: on Apple's.
///
/// Not on Linux, where URLSession ends the process if a connection ends within the head of an
/// answer.
final class SessionTransport: Transport {
  private let session: URLSession
  private let listener: SessionListener

  init(telling exchanges: Exchanges, patience: Duration, world: ClientWorld) {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.httpCookieStorage = nil
    configuration.httpShouldSetCookies = false
    configuration.urlCache = nil
    configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
    configuration.timeoutIntervalForRequest = patience.seconds
    listener = SessionListener(exchanges)
    session = URLSession(configuration: configuration, delegate: listener, delegateQueue: nil)
  }

  func begin(_ id: Int, _ request: TransportRequest) {
    guard let url = URL(string: request.url) else { return listener.end(id) }
    var made = URLRequest(url: url)
    made.httpMethod = request.method
    made.httpBody = request.body.map { Data($0) }
    for field in request.fields { made.setValue(field.value, forHTTPHeaderField: field.name) }
    let task = session.dataTask(with: made)
    listener.expect(task, id)
    task.resume()
  }

  func cancel(_ ids: [Int]) { listener.cancel(ids) }

  func close() { session.invalidateAndCancel() }
}

/// Hears what URLSession says of its tasks. A session keeps it until it is closed.
private final class SessionListener: NSObject, URLSessionDataDelegate, Sendable {
  private let exchanges: Exchanges
  private let tasks = Mutex<[Int: URLSessionDataTask]>([:])

  init(_ exchanges: Exchanges) { self.exchanges = exchanges }

  func expect(_ task: URLSessionDataTask, _ id: Int) {
    task.taskDescription = String(id)
    tasks.withLock { $0[id] = task }
  }

  func cancel(_ ids: [Int]) {
    let cancelled = tasks.withLock { tasks in ids.compactMap { tasks.removeValue(forKey: $0) } }
    for task in cancelled { task.cancel() }
  }

  func end(_ id: Int) {
    tasks.withLock { $0[id] = nil }
    exchanges.end(id, isWhole: false)
  }

  private func id(of task: URLSessionTask) -> Int? { task.taskDescription.flatMap { Int($0) } }

  // MARK: URLSessionDataDelegate

  func urlSession(
    _ session: URLSession, task: URLSessionTask,
    willPerformHTTPRedirection response: HTTPURLResponse, newRequest request: URLRequest,
    completionHandler: @escaping @Sendable (URLRequest?) -> Void
  ) {
    completionHandler(nil)
  }

  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
  ) {
    if let id = id(of: dataTask), let response = response as? HTTPURLResponse {
      let fields = AnswerFields(
        date: response.value(forHTTPHeaderField: "Date"),
        retryAfter: response.value(forHTTPHeaderField: "Retry-After"))
      let type = response.value(forHTTPHeaderField: "Content-Type")
      exchanges.heard(
        Exchanges.Head(status: response.statusCode, contentType: type, fields: fields), of: id)
    }
    completionHandler(.allow)
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    guard let id = id(of: dataTask), !exchanges.heard(data, of: id) else { return }
    dataTask.cancel()
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
  ) {
    guard let id = id(of: task) else { return }
    tasks.withLock { $0[id] = nil }
    if let error { exchanges.failed(by: LinkFault(error)) }
    exchanges.end(id, isWhole: error == nil)
  }
}

extension LinkFault {
  fileprivate init?(_ error: any Error) {
    switch (error as? URLError)?.code {
    case .cannotFindHost: self = .unknownHost
    case .cannotConnectToHost: self = .refused
    case .serverCertificateUntrusted, .serverCertificateHasBadDate,
      .serverCertificateHasUnknownRoot, .serverCertificateNotYetValid:
      self = .untrusted
    // NB: open: the system's numbers.
    default: return nil
    }
  }
}
#endif
