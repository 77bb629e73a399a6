import Dispatch
import GoalsCore
import GoalsStore
import HTTPServer

/// The events that the clock brings. There is one alarm for all streams, set to the first moment at
/// which something is due.
///
/// It rings by the time since the system started. The wall clock may be set meanwhile, so it is
/// looked at when the alarm rings. The heartbeat makes the alarm ring often enough for that.
extension ChangeHub {
  /// How often a stream shows that it lives.
  private static let beatInterval = Duration.seconds(15)
  /// Alarms are at multiples of it, so that many waits, each until another moment, are looked at
  /// together.
  private static let grain = Duration.milliseconds(50)

  /// How long after a failure a calendar is asked for again, in milliseconds: a minute.
  private static let calendarPause: Int64 = 60_000

  /// Notes in a room which day it is in this calendar, and sets the alarm to its end. Where the
  /// calendar can't be had, the room keeps the day that it knew, if any, and is looked at again
  /// later.
  @discardableResult
  func look(_ room: Room, at settings: CalendarSettings) -> GoalCalendar? {
    let now = world.now()
    guard let calendar = world.calendar(settings) else {
      let again = now.adding(milliseconds: Self.calendarPause)
      room.today = Today(calendar: settings, day: room.today?.day, start: now, end: again)
      arm(for: again)
      return nil
    }
    let day = calendar.day(of: now)
    let end = calendar.end(of: day)
    room.today = Today(calendar: settings, day: day, start: calendar.start(of: day), end: end)
    arm(for: end)
    return calendar
  }

  /// Begins the heartbeat with the first stream.
  func beatSoon() {
    guard nextBeat == nil else { return }
    let beat = world.uptime() + Self.beatInterval
    nextBeat = beat
    arm(for: beat)
  }

  /// Sets the alarm to the end of the caller's token or session.
  func armForEnd(of caller: Caller) {
    if let end = caller.end { arm(for: end) }
  }

  private func arm(for instant: Instant) {
    arm(for: world.uptime() + wait(until: instant))
  }

  private func wait(until instant: Instant) -> Duration {
    .milliseconds(max(0, instant.milliseconds - world.now().milliseconds))
  }

  /// Sets the alarm to this moment, if it does not ring before.
  func arm(for moment: Duration) {
    dispatchPrecondition(condition: .onQueue(queue))
    let moment = Self.rounded(moment)
    if let alarm, alarm <= moment { return }
    alarm = moment
    world.later(max(.zero, moment - world.uptime()), queue) { [weak self] in self?.ring(moment) }
  }

  private static func rounded(_ moment: Duration) -> Duration {
    let (seconds, attoseconds) = moment.components
    let unit = grain.components.attoseconds
    let parts = (attoseconds + unit - 1) / unit
    return Duration(secondsComponent: seconds, attosecondsComponent: 0) + grain * Int(parts)
  }

  private func ring(_ moment: Duration) {
    dispatchPrecondition(condition: .onQueue(queue))
    guard alarm == moment else { return }
    alarm = nil
    let (now, uptime) = (world.now(), world.uptime())
    for (account, room) in rooms {
      wake(.timeout, in: account) { $0.deadline <= uptime }
      guard let today = room.today else { continue }
      if now < today.start { look(room, at: today.calendar) }
      if let end = today.end, end <= now { elapse(account, room) }
    }
    endAll { caller in
      caller.end.map { $0 <= now } ?? false && !authenticator.admits(caller, in: world)
    }
    beat(uptime)
    if let next = nextMoment(now, uptime) { arm(for: next) }
  }

  /// The next moment at which something is due.
  private func nextMoment(_ now: Instant, _ uptime: Duration) -> Duration? {
    var next = nextBeat
    for room in rooms.values {
      let callers = room.members.values.map(\.caller) + room.waiters.values.map(\.caller)
      let instants = ([room.today?.end] + callers.map(\.end)).compactMap { $0 }.filter { $0 > now }
      let moments = instants.map { uptime + wait(until: $0) } + room.waiters.values.map(\.deadline)
      next = (moments + [next].compactMap { $0 }).min()
    }
    return next
  }

  private func beat(_ uptime: Duration) {
    guard let due = nextBeat, due <= uptime else { return }
    var isHeard = false
    for room in rooms.values where !room.members.isEmpty {
      isHeard = true
      ResponseStream.write(ChangeEvent.heartbeat, to: room.inOrder.map(\.stream))
    }
    nextBeat = isHeard ? uptime + Self.beatInterval : nil
  }

  /// A day of an account is over: tells which goals' periods ended with it.
  private func elapse(_ account: Account.ID, _ room: Room) {
    if let published = store.stateInMemory(account) { return elapse(room, published.state) }
    room.today?.end = nil
    fetch(of: account, { [store] in try store.state(account)?.state }) { hub, state in
      guard let room = hub.rooms[account] else { return }
      if let state { return hub.elapse(room, state) }
      // Looked at again with the next beat.
      room.today?.end = hub.world.now()
    }
  }

  private func elapse(_ room: Room, _ state: AccountState) {
    let before = room.today?.day
    guard let calendar = look(room, at: state.calendar), let before, let today = room.today?.day
    else { return }
    let goals = state.elapsed(since: before, on: today, in: calendar)
    guard !goals.isEmpty else { return }
    ResponseStream.write(ChangeEvent.elapse(goals), to: room.inOrder.map(\.stream))
  }
}
