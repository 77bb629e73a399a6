import CPostgreSQL
import Foundation
import Synchronization
import Testing

@testable import PostgreSQL

/// What runs on a thread of its own while the test goes on.
final class Background<Value: Sendable>: Sendable {
  private let result = Mutex<Result<Value, any Error>?>(nil)
  private let done = DispatchSemaphore(value: 0)

  init(_ body: @escaping @Sendable () throws -> Value) {
    Thread.detachNewThread { [self] in
      let outcome = Result(catching: body)
      result.withLock { $0 = outcome }
      done.signal()
    }
  }

  /// Waits for its end.
  func value() throws -> Value {
    done.wait()
    return try #require(result.withLock { $0 }).get()
  }

  /// Waits for its end, which is an error of PostgreSQL's.
  func failure() throws -> PostgreSQLError {
    let error = #expect(throws: PostgreSQLError.self) { _ = try value() }
    return try #require(error)
  }
}

extension Connection {
  /// Asks again and again until the answer is yes, for two minutes.
  func wait(until condition: String) throws {
    let query = Query("until \(condition.hashValue)", "SELECT (\(condition))::bool")
    let end = ContinuousClock.now + .seconds(120)
    while try run(query, within: .seconds(30)).first?.bool(at: 0) != true {
      try #require(ContinuousClock.now < end, "\(condition)")
    }
  }

  /// Waits until the connection that bears this name is at what is said of it.
  func wait(forApplication name: String, _ condition: String) throws {
    try wait(
      until: """
        SELECT EXISTS (SELECT FROM pg_stat_activity WHERE application_name = '\(name)' AND \(condition))
        """)
  }

  /// Waits until the server has closed its end of the socket (poll(2)).
  func waitForTheEnd() {
    var one = pollfd(fd: PQsocket(handle), events: 0, revents: 0)
    while one.revents & Int16(POLLHUP) == 0 { poll(&one, 1, 1000) }
  }

  func bigint(_ sql: String) throws -> Int64 {
    try #require(
      try run(Query("one \(sql.hashValue)", "SELECT (\(sql))::bigint"), within: .seconds(30)).first
    )
    .bigint(at: 0)
  }
}
