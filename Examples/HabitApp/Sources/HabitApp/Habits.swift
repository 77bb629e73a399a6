import ChangePropagation
import Foundation
import GoalsClient
import GoalsCore
import GoalsReplica

/// The habits of one person, on one device.
struct Habits {
  let client: GoalsClient

  /// - Parameters:
  ///   - folder: where this device keeps them; nobody else writes there.
  ///   - server: such as `https://goals.example`.
  init(in folder: String, of server: URL, token: String) throws {
    client = try GoalsClient(in: folder, of: server)
    client.signIn(token: token)
  }
}

extension Habits {
  /// Adds a habit, and turns it on.
  func add(_ title: Title, times: Frequency, every interval: Interval) async throws -> Goal.ID {
    let habit = Goal(
      id: client.world.makeID(), title: title, interval: interval, frequency: times)
    try await client.make([
      Edit(.add(habit)), Edit(.setActivity(.keyed([habit.id: true]))),
    ])
    return habit.id
  }

  /// Counts once, now. It shows at once, and is sent when the server can be reached.
  func count(_ habit: Goal.ID) {
    client.progressEdits.announce(.bump(habit, by: .one, note: nil))
  }
}

extension Habits {
  /// `Yoga 2/5`, for a habit of five times in its period.
  static func line(of item: Goals.Item) -> String {
    switch item.progress {
    case .inactive: "\(item.goal.title) (off)"
    case .active(let running): "\(item.goal.title) \(running.count)/\(item.goal.frequency.value)"
    }
  }

  /// What a person should know of the way to the server; nil where all is well.
  static func remark(on status: GoalsClient.Status) -> String? {
    switch status.standing {
    case .loading, .inStep, .asking: nil
    case .waiting: "The server can't be reached. \(status.unsent.count) to be sent."
    case .stopped(.signedOut): "Please sign in again."
    case .stopped(.otherAccount): "This is the token of another account."
    }
  }
}
