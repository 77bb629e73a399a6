import GoalsCore
import GoalsStore
import HTTPServer

/// Leave to follow an account's changes from a place in its log.
package struct Following: Sendable {
  let caller: Caller
  let start: Cursor
  /// Whether the place that was asked for is of another history, and this is the head instead.
  let isReset: Bool
  /// The calendar by which the account's periods end.
  let calendar: CalendarSettings
  let hub: ChangeHub
  /// Which of the hub's streams it is.
  let number: Int

  init(
    _ caller: Caller, from start: Cursor, isReset: Bool = false, _ calendar: CalendarSettings,
    through hub: ChangeHub
  ) {
    self.caller = caller
    self.start = start
    self.isReset = isReset
    self.calendar = calendar
    self.hub = hub
    number = hub.nextNumber()
  }

  /// The first event of the stream.
  var firstEvent: [UInt8] { isReset ? ChangeEvent.reset(start) : ChangeEvent.start(start) }

  /// Writes what happens from now on.
  func begin(_ stream: ResponseStream) { hub.join(self, stream) }

  /// Tells that the stream is over. It is kept as long as that is open, and holds no more than it needs.
  var end: @Sendable () -> Void {
    { [hub, number, account = caller.account] in hub.leave(number, of: account) }
  }
}
