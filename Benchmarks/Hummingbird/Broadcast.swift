import Foundation
import Hummingbird
import Synchronization

/// Tells the streams of an account of its edits.
final class Broadcast: Sendable {
  private typealias Continuation = AsyncStream<ByteBuffer>.Continuation

  private struct Followers {
    var byAccount: [Int64: [Int: Continuation]] = [:]
    var last = 0
  }

  private let followers = Mutex(Followers())

  /// The events of an account from now on. The first one is empty, and says that the stream is
  /// open.
  func follow(_ account: Int64) -> AsyncStream<ByteBuffer> {
    let (events, continuation) = AsyncStream.makeStream(
      of: ByteBuffer.self, bufferingPolicy: .bufferingNewest(1000))
    continuation.yield(ByteBuffer(string: "data:\n\n"))
    let number = followers.withLock { followers in
      followers.last += 1
      followers.byAccount[account, default: [:]][followers.last] = continuation
      return followers.last
    }
    continuation.onTermination = { [self] _ in
      followers.withLock { $0.byAccount[account]?[number] = nil }
    }
    return events
  }

  func tell(_ commit: Commit) throws {
    let following = followers.withLock { Array(($0.byAccount[commit.account] ?? [:]).values) }
    guard !following.isEmpty else { return }
    let encoder = JSONEncoder()
    encoder.dateEncodingStrategy = .iso8601
    for edit in commit.recorded {
      var event = ByteBuffer(string: "id: \(edit.version)\nevent: edit\ndata: ")
      event.writeBytes(try encoder.encode(edit))
      event.writeString("\n\n")
      for continuation in following { continuation.yield(event) }
    }
  }
}
