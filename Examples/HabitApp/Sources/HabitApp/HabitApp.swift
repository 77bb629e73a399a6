import ChangePropagation
import Foundation
import GoalsClient
import GoalsCore
import GoalsReplica

/// The app without a screen: it adds Yoga where there is no habit yet, counts once, and shows what
/// came of it.
@main
struct HabitApp {
  static func main() async throws {
    let arguments = CommandLine.arguments
    guard arguments.count == 4, let server = URL(string: arguments[2]) else {
      print("usage: HabitApp FOLDER SERVER TOKEN")
      exit(64)
    }
    let habits = try Habits(in: arguments[1], of: server, token: arguments[3])
    await habits.client.wait(atMost: .seconds(10)) { $0.standing == .inStep && !$0.isCatchingUp }

    let yoga: Goal.ID
    if let first = habits.client.goals.current.items.first {
      yoga = first.goal.id
    } else if let title = Title("Yoga"), let five = Frequency(5) {
      yoga = try await habits.add(title, times: five, every: .monthly)
    } else {
      return
    }
    habits.count(yoga)
    habits.client.network.settle()
    for item in habits.client.goals.current.items { print(Habits.line(of: item)) }

    await habits.client.wait(atMost: .seconds(10)) { $0.unsent.isEmpty }
    let status = habits.client.status.current
    let sent = status.unsent.isEmpty ? "Everything is on the server." : "Not sent yet."
    print(Habits.remark(on: status) ?? sent)
    habits.client.close()
  }
}
