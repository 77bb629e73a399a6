import GoalsEngine
import Synchronization

/// The requests of a link that have not ended, and what has come of each. It calls back outside its
/// lock.
final class Exchanges: Sendable {
  enum Purpose: Sendable {
    case answer(@Sendable (ServerLink.Answer?) -> Void)
    /// A long poll, which follows the log as a stream does.
    case poll(@Sendable (ServerLink.Answer?) -> Void)
    case stream(@Sendable (ServerLink.Heard) -> Void)
  }

  /// What comes before the body of an answer.
  struct Head: Sendable {
    let status: Int
    let contentType: String?
    let fields: AnswerFields

    var isStream: Bool {
      let type = contentType?.prefix { $0 != ";" && $0 != " " } ?? ""
      return status == 200 && type.lowercased() == "text/event-stream"
    }
  }

  private struct Exchange: Sendable {
    let purpose: Purpose
    var head: Head?
    /// Nil once it is longer than any answer may be.
    var body: [UInt8]? = []
    var stream = EventStream()

    func end(isWhole: Bool) {
      switch purpose {
      case .stream(let hear): hear(.ended(began: head?.isStream ?? false))
      case .answer(let done), .poll(let done):
        guard isWhole, let head, let body else { return done(nil) }
        done(ServerLink.Answer(status: head.status, fields: head.fields, body: body))
      }
    }
  }

  private struct State: Sendable {
    var open: [Int: Exchange] = [:]
    var last = 0
    var isClosed = false
    var fault: LinkFault?
  }

  private let state = Mutex(State())

  /// The number of a new exchange; nil where nothing is to be heard any more.
  func add(_ purpose: Purpose) -> Int? {
    state.withLock { state in
      guard !state.isClosed else { return nil }
      state.last += 1
      state.open[state.last] = Exchange(purpose: purpose)
      return state.last
    }
  }

  /// Forgets what follows the log, and answers which exchanges those were.
  func forgetFollowing() -> [Int] {
    state.withLock { state in
      let forgotten = state.open.filter { _, exchange in
        switch exchange.purpose {
        case .poll, .stream: true
        case .answer: false
        }
      }
      for id in forgotten.keys { state.open[id] = nil }
      return Array(forgotten.keys)
    }
  }

  /// Forgets everything, and what is added later.
  func close() {
    state.withLock { state in
      state.open = [:]
      state.isClosed = true
    }
  }

  // MARK: What a transport tells

  func heard(_ head: Head, of id: Int) { state.withLock { $0.open[id]?.head = head } }

  /// Whether more of it is wanted.
  func heard(_ bytes: some Collection<UInt8>, of id: Int) -> Bool {
    let heard = state.withLock { state -> (events: [EventStream.Event]?, Purpose)? in
      guard var exchange = state.open.removeValue(forKey: id) else { return nil }
      defer { state.open[id] = exchange }
      switch exchange.purpose {
      case .answer, .poll:
        exchange.body?.append(contentsOf: bytes)
        if let count = exchange.body?.count, count > ServerLink.maximum { exchange.body = nil }
        return (exchange.body == nil ? nil : [], exchange.purpose)
      case .stream:
        // Another answer may go on for ever.
        let isStream = exchange.head?.isStream ?? false
        return (isStream ? exchange.stream.take(bytes) : nil, exchange.purpose)
      }
    }
    guard let (events, purpose) = heard, let events else { return false }
    guard case .stream(let hear) = purpose else { return true }
    for event in events {
      // The listener may have ended the stream when it heard the event before this one.
      guard state.withLock({ $0.open[id] != nil }) else { return false }
      hear(.event(event))
    }
    return true
  }

  /// Why a server could not be reached last; nil where nobody knows.
  var fault: LinkFault? { state.withLock { $0.fault } }

  func failed(by fault: LinkFault?) { state.withLock { $0.fault = fault } }

  /// - Parameter isWhole: whether the answer came to its end.
  /// - Returns: whether it had not ended before.
  @discardableResult func end(_ id: Int, isWhole: Bool) -> Bool {
    guard let ended = state.withLock({ $0.open.removeValue(forKey: id) }) else { return false }
    ended.end(isWhole: isWhole)
    return true
  }
}
