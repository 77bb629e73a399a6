import ChangePropagation
import GoalsCore

/// What is counted and logged of the commits, by observing their announcements as every other view
/// of them does.
final class CommitRecorder: Sendable {
  /// How many edits of each type were recorded since the start.
  let editsByType: Changing<[EditType: Int]>
  private let world: World

  init(_ commits: Outlet<Commit>, in world: World) {
    self.world = world
    editsByType = commits.accumulate(into: [:]) { counts, commit in
      for edit in commit.edits { counts[edit.edit.type, default: 0] += 1 }
    }
    commits.observe(withContext: self) { recorder, commit in
      // An import tells of itself.
      guard !commit.edits.isEmpty else { return }
      recorder.world.track(
        .recorded(commit.account, edits: commit.edits.count, version: commit.state.version))
    }
  }
}
