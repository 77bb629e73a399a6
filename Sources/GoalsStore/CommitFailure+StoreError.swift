import GoalsCore

extension CommitFailure {
  init(_ error: StoreError) {
    switch error {
    case .full: self = .full
    case .inputOutput, .corrupt, .closed: self = .storage
    case .other: self = .other
    }
  }
}
