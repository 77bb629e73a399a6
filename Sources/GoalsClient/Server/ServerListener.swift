import Foundation
import GoalsEngine
import Synchronization

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Hears what URLSession says of the requests of a link.
final class ServerListener: NSObject, URLSessionDataDelegate, Sendable {
  enum Purpose: Sendable {
    case answer(@Sendable (ServerLink.Answer?) -> Void)
    /// An answer that is waited for as a stream is.
    case poll(@Sendable (ServerLink.Answer?) -> Void)
    case stream(@Sendable (ServerLink.Heard) -> Void)
  }

  private struct Exchange: Sendable {
    let task: URLSessionDataTask
    let purpose: Purpose
    /// Nil once it is longer than any answer may be.
    var body: [UInt8]? = []
    var stream = EventStream()
    var hasBegun = false

    func end(_ answer: ServerLink.Answer?) {
      switch purpose {
      case .stream(let hear): hear(.ended(began: hasBegun))
      case .answer(let done), .poll(let done): done(answer)
      }
    }
  }

  private let exchanges = Mutex<[Int: Exchange]>([:])

  func expect(_ task: URLSessionDataTask, _ purpose: Purpose) {
    exchanges.withLock {
      $0[task.taskIdentifier] = Exchange(task: task, purpose: purpose)
    }
  }

  /// Forgets what follows the log, or everything.
  func forget(all: Bool) -> [URLSessionDataTask] {
    exchanges.withLock { exchanges in
      let forgotten = exchanges.filter { _, exchange in
        switch exchange.purpose {
        case .poll, .stream: true
        case .answer: all
        }
      }
      for id in forgotten.keys { exchanges[id] = nil }
      return forgotten.values.map(\.task)
    }
  }

  /// Ends a request that has lasted too long, if it has not ended by itself.
  func giveUp(_ task: URLSessionDataTask) {
    let late = exchanges.withLock { $0.removeValue(forKey: task.taskIdentifier) }
    guard let late else { return }
    task.cancel()
    late.end(nil)
  }

  // MARK: URLSessionDataDelegate

  func urlSession(
    _ session: URLSession, task: URLSessionTask,
    willPerformHTTPRedirection response: HTTPURLResponse, newRequest request: URLRequest,
    completionHandler: @escaping @Sendable (URLRequest?) -> Void
  ) {
    completionHandler(nil)
  }

  #if canImport(FoundationNetworking)
  /// Who asks for a password is no Goals server. NB: without an answer here the task never ends.
  func urlSession(
    _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
    completionHandler:
      @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
  ) {
    completionHandler(.cancelAuthenticationChallenge, nil)
  }
  #endif

  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
  ) {
    let isStream = response.mimeType == "text/event-stream"
    let isGood = (response as? HTTPURLResponse)?.statusCode == 200
    exchanges.withLock { $0[dataTask.taskIdentifier]?.hasBegun = isGood && isStream }
    completionHandler(.allow)
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    let id = dataTask.taskIdentifier
    let heard = exchanges.withLock { exchanges -> (events: [EventStream.Event]?, Purpose)? in
      guard var exchange = exchanges.removeValue(forKey: id) else { return nil }
      defer { exchanges[id] = exchange }
      switch exchange.purpose {
      case .answer, .poll:
        exchange.body?.append(contentsOf: data)
        if let count = exchange.body?.count, count > ServerLink.maximum { exchange.body = nil }
        return (exchange.body == nil ? nil : [], exchange.purpose)
      case .stream:
        return (exchange.hasBegun ? exchange.stream.take(data) : [], exchange.purpose)
      }
    }
    guard let (events, purpose) = heard else { return }
    guard let events else { return dataTask.cancel() }
    guard case .stream(let hear) = purpose else { return }
    for event in events { hear(.event(event)) }
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
  ) {
    let ended = exchanges.withLock { $0.removeValue(forKey: task.taskIdentifier) }
    guard let ended else { return }
    // It may have ended before it was cancelled.
    guard let body = ended.body, let response = task.response as? HTTPURLResponse,
      error == nil || response.statusCode == 401
    else {
      return ended.end(nil)
    }
    let fields = AnswerFields(
      date: response.value(forHTTPHeaderField: "Date"),
      retryAfter: response.value(forHTTPHeaderField: "Retry-After"))
    ended.end(ServerLink.Answer(status: response.statusCode, fields: fields, body: body))
  }
}
