import HTTP
import TestSupport

@testable import GoalsService
@testable import HTTPServer

/// The client's end of a stream, without a socket: takes what is written at once, or only when it
/// is told to.
final class Listener: Sendable {
  /// An event as an `EventSource` sees it, and comments.
  struct Event: Hashable, Sendable {
    var type = ""
    var data: String?
    var id: String?
    var comment: String?
  }

  let head: Response
  private let stream: ResponseStream
  private let commands: AsyncStream<ResponseStream.Command>
  private let events: Locked<(bytes: [UInt8], events: [Event])>
  private let takesAll: Bool

  init(
    _ head: Response, _ stream: ResponseStream, _ commands: AsyncStream<ResponseStream.Command>,
    takesAll: Bool
  ) {
    self.head = head
    self.stream = stream
    self.takesAll = takesAll
    self.commands = commands
    events = Locked((head.body, []))
  }

  /// The next event; nil where the stream is over.
  func next() async -> Event? {
    while true {
      if let event = takeEvent() { return event }
      guard let command = await nextCommand() else { return nil }
      guard case .write(let bytes, let whenSent) = command else { continue }
      events.change { $0.bytes += bytes }
      if takesAll {
        if whenSent == nil { stream.sent(bytes.count) }
        whenSent?()
      }
    }
  }

  /// The next that is no comment.
  func nextEvent() async -> Event? {
    while let event = await next() {
      if event.comment == nil { return event }
    }
    return nil
  }

  var isOpen: Bool { stream.isOpen }

  /// The client goes away.
  func leave() { stream.close() }

  private func nextCommand() async -> ResponseStream.Command? {
    for await command in commands { return command }
    return nil
  }

  private func takeEvent() -> Event? {
    var event: Event?
    events.change { content in
      guard let end = content.bytes.firstRange(of: [10, 10]) else { return }
      let block = String(decoding: content.bytes[..<end.lowerBound], as: UTF8.self)
      content.bytes.removeSubrange(..<end.upperBound)
      var read = Event()
      for line in block.split(separator: "\n") {
        let name = line.prefix { $0 != ":" }
        let value = line.dropFirst(name.count + 1).drop { $0 == " " }
        switch name {
        case "": read.comment = String(value)
        case "id": read.id = String(value)
        case "event": read.type = String(value)
        case "data": read.data = String(value)
        default: break
        }
      }
      event = read
    }
    return event
  }
}

extension TestService {
  /// Comes back when something holds of the hub of streams.
  func until(_ what: String, _ holds: @escaping @Sendable (ChangeHub) -> Bool) async throws {
    for _ in 0..<120_000 {
      if hub.queue.sync(execute: { holds(hub) }) { return }
      try await Task.sleep(for: .milliseconds(1))
    }
    throw Answer.Unexpected("not so: \(what)")
  }

  /// Opens a stream.
  ///
  /// - Parameters:
  ///   - text: as `ask` takes it, with a cookie instead of a token where it shows one.
  ///   - takesAll: whether the client takes what is written.
  func listen(
    _ text: String = "GET /v1/changes", as token: String? = nil, takesAll: Bool = true
  ) async throws -> Listener {
    switch try await reply(text, as: text.contains("Cookie:") ? nil : token ?? me.token) {
    case .stream(let head, let stream, let commands):
      try await until("the stream has joined") { hub in
        hub.rooms.values.contains { $0.members.values.contains { $0.stream === stream } }
      }
      return Listener(head, stream, commands, takesAll: takesAll)
    case .whole(let response): throw Answer.Unexpected("\(response.status)")
    }
  }
}
