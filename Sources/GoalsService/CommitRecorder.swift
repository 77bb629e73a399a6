import ChangePropagation
import GoalsCore

/// What the service counts of its commits, by observing their announcements as every other view of
/// them does.
final class CommitRecorder: Sendable {
  /// How many edits of each type were recorded since the start.
  let editsByType: Changing<[EditType: Int]>

  init(_ commits: Outlet<Commit>) {
    editsByType = commits.accumulate(into: [:]) { counts, commit in
      for edit in commit.edits { counts[edit.edit.type, default: 0] += 1 }
    }
  }
}
