#if canImport(SwiftUI)
import GoalsClient
import GoalsCore
import SwiftUI

/// The list of habits: a tap counts.
struct HabitList: View {
  let habits: Habits
  @State private var goals: Goals?
  @State private var remark: String?
  @Environment(\.scenePhase) private var phase

  var body: some View {
    List(goals?.items ?? [], id: \.goal.id) { item in
      Button(Habits.line(of: item)) { habits.count(item.goal.id) }
    }
    .safeAreaInset(edge: .bottom) { if let remark { Text(remark) } }
    .task { for await goals in habits.client.goals.values { self.goals = goals } }
    .task {
      for await status in habits.client.status.values { remark = Habits.remark(on: status) }
    }
    .onChange(of: phase) { if phase == .active { habits.client.cameToFront() } }
  }
}
#endif
