import GoalsCore
import HTTPServer

/// An account's history as it is given out whole.
package struct Archive: Sendable {
  /// The account's running day; nil where no calendar can be had.
  let day: Day?
  /// The end of the log.
  let cursor: Cursor
  /// Sends it, piece by piece, as long as whoever asked for it may have it.
  let send: @Sendable (ResponseStream, _ isWanted: @escaping @Sendable () -> Bool) -> Void
}
