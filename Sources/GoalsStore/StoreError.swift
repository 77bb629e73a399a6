import GoalsCore

/// Why the store did not do what it was asked to. The texts are for the log, never for clients.
package enum StoreError: Error, Hashable, Sendable {
  /// The disk is full: nothing was written.
  case full(String)
  /// Reading or writing failed.
  case inputOutput(String)
  /// What is stored contradicts itself.
  case corrupt(String)
  /// Others were in the way for too long: nothing was written.
  case busy(String)
  /// A commit's answer was lost: it may be recorded, now or later.
  case unknown(String)
  /// The token or session that asked for it has ended: nothing was written.
  case refused
  /// What was to be written breaks a rule of the schema, or another surprise.
  case other(String)
  case closed

  /// The store's error for one that comes from below it.
  init(_ error: any Error) {
    self =
      error as? StoreError ?? (error as? any BackingError)?.inStore ?? .other("\(error)")
  }
}

/// An error of a backing's own, such as its database's.
protocol BackingError: Error {
  /// The same in the store's words.
  var inStore: StoreError { get }
}

/// Runs what reads or writes a backing's data. Whatever it throws is said in the store's words:
/// below this nobody has to name the errors, and above it there are no others.
func inStore<Result>(_ body: () throws -> Result) throws(StoreError) -> Result {
  do { return try body() } catch { throw StoreError(error) }
}

extension StoreError {
  /// Whether the same may go well later, without anybody mending anything.
  package var passes: Bool {
    switch self {
    case .full, .inputOutput, .busy, .closed, .unknown: true
    case .corrupt, .refused, .other: false
    }
  }
}

extension StoreError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .full(let text): "The disk is full: \(text)"
    case .inputOutput(let text): "Reading or writing failed: \(text)"
    case .corrupt(let text):
      "The database contradicts itself: \(text). See what is wrong with: goals verify"
    case .busy(let text): "Others were in the way: \(text)"
    case .unknown(let text): "It is not known whether a commit was recorded: \(text)"
    case .other(let text): "The store failed: \(text)"
    case .refused: "The token or session that asked has ended."
    case .closed: "The store is closed."
    }
  }
}

extension CommitFailure {
  init(_ error: StoreError) {
    switch error {
    case .full: self = .full
    case .unknown: self = .unknown
    case .inputOutput, .busy, .corrupt, .closed: self = .storage
    case .refused, .other: self = .other
    }
  }
}
