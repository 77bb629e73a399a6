import Foundation
import GoalsClient
import GoalsCore
import GoalsReplica
import Synchronization
import Testing

/// How long a test waits for what has to come, at most.
let patience = Duration.seconds(120)

extension GoalsClient {
  /// Waits for a status that has to come.
  func reach(
    _ what: Comment, sourceLocation: SourceLocation = #_sourceLocation,
    _ isReached: @escaping @Sendable (Status) -> Bool
  ) async {
    let isThere = await wait(atMost: patience, until: isReached)
    #expect(isThere, what, sourceLocation: sourceLocation)
  }

  func meet() async {
    await reach("agrees with the server") {
      $0.standing == .inStep && $0.queue.isEmpty && !$0.isCatchingUp
    }
  }

  /// Adds a goal and turns it on.
  func add(_ title: String) async throws -> Goal.ID {
    let goal = Goal(id: world.makeID(), title: try #require(Title(title)))
    try await make([Edit(.add(goal)), Edit(.setActivity(.keyed([goal.id: true])))])
    return goal.id
  }

  /// The progress of each goal, by title.
  var progress: [String: Int] {
    Dictionary(
      uniqueKeysWithValues: goals.current.items.map { item in
        guard case .active(let running) = item.progress else { return (item.goal.title.text, -1) }
        return (item.goal.title.text, running.count)
      })
  }
}

/// Keeps what a client tells.
final class Ear: Sendable {
  private let notices = Mutex<[Replica.Notice]>([])

  init(on client: GoalsClient) {
    client.notices.observe(withContext: self) { ear, notice in
      ear.notices.withLock { $0.append(notice) }
    }
  }

  var heard: [Replica.Notice] { notices.withLock { $0 } }
}

/// Keeps how a client stood, first to last.
final class Eye: Sendable {
  private let statuses = Mutex<[GoalsClient.Status]>([])

  init(on client: GoalsClient) {
    client.status.observe(withContext: self) { eye, status in
      eye.statuses.withLock { $0.append(status) }
    }
  }

  var seen: [GoalsClient.Status] { statuses.withLock { $0 } }
}

/// An address at which nobody listens: port 1 is the system's.
func nowhere() throws -> URL { try #require(URL(string: "http://127.0.0.1:1")) }
