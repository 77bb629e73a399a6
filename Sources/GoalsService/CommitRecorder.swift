import ChangePropagation
import GoalsCore

/// What is counted and logged of the commits, by observing their announcements as every other view
/// of them does.
final class CommitRecorder: Sendable {
  private let world: World

  init(_ commits: Outlet<Commit>, in world: World) {
    self.world = world
    commits.observe(withContext: self) { recorder, commit in
      // An import tells of itself.
      guard !commit.edits.isEmpty else { return }
      recorder.world.track(
        .recorded(commit.account, edits: commit.edits.count, version: commit.state.version))
    }
  }
}
