import GoalsCore
import HTTPServer

/// An account's history as it is given out whole.
package struct Archive: Sendable {
  /// The account's running day.
  let day: Day
  /// The end of the log.
  let cursor: Cursor
  /// Sends it, piece by piece.
  let send: @Sendable (ResponseStream) -> Void
}

/// A history that was taken in.
package struct Imported: Hashable, Sendable {
  /// The end of what was read.
  let cursor: Cursor
  /// False where the account had it already.
  let isNew: Bool
}
