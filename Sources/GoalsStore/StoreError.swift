import GoalsCore
import SQLite

/// Why the store did not do what it was asked to. The texts are for the log, never for clients.
package enum StoreError: Error, Hashable, Sendable {
  /// The disk is full: nothing was written.
  case full(String)
  /// Reading or writing failed.
  case inputOutput(String)
  /// What is stored contradicts itself.
  case corrupt(String)
  /// What was to be written breaks a rule of the schema, or another surprise.
  case other(String)
  /// The store is closed.
  case closed

  init(_ error: SQLiteError) {
    switch error.kind {
    case .full: self = .full(error.description)
    case .inputOutput, .cannotOpen, .readOnly, .busy: self = .inputOutput(error.description)
    case .corrupt, .notADatabase, .mismatch: self = .corrupt(error.description)
    case .closed: self = .closed
    case .other where error.isUnreadable: self = .corrupt(error.message)
    case .constraint, .interrupted, .notTaken, .other: self = .other(error.description)
    }
  }
}

extension StoreError {
  /// Whether the same may go well later, without anybody mending anything.
  package var passes: Bool {
    switch self {
    case .full, .inputOutput, .closed: true
    case .corrupt, .other: false
    }
  }
}

extension StoreError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .full(let text): "The disk is full: \(text)"
    case .inputOutput(let text): "Reading or writing failed: \(text)"
    case .corrupt(let text): "The database contradicts itself: \(text)"
    case .other(let text): "The store failed: \(text)"
    case .closed: "The store is closed."
    }
  }
}

extension CommitFailure {
  init(_ error: StoreError) {
    switch error {
    case .full: self = .full
    case .inputOutput, .corrupt, .closed: self = .storage
    case .other: self = .other
    }
  }
}
