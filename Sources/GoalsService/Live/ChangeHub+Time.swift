import Dispatch
import GoalsCore
import GoalsStore

/// What streams are told by the clock. There is one alarm for all of them, set to whatever comes first.
extension ChangeHub {
  /// How often a stream shows that it lives, in milliseconds.
  private static let beatInterval: Int64 = 15_000

  /// Has a room know which day it is in this calendar, and be looked at when that ends.
  func look(_ room: Room, at settings: CalendarSettings) {
    let calendar = world.zones.calendar(settings)
    let day = calendar.day(of: world.now())
    let end = calendar.end(of: day)
    room.today = Today(calendar: settings, day: day, end: end)
    arm(for: end)
  }

  /// Begins to beat, where nobody was there to listen before.
  func beatSoon() {
    guard nextBeat == nil else { return }
    let beat = world.now().adding(milliseconds: Self.beatInterval)
    nextBeat = beat
    arm(for: beat)
  }

  /// Sees to it that the clock is looked at then, or before.
  func arm(for instant: Instant) {
    if let alarm, alarm <= instant { return }
    alarm = instant
    let delay = max(0, instant.milliseconds - world.now().milliseconds)
    world.later(.milliseconds(delay), queue) { [weak self] in self?.ring(instant) }
  }

  /// The clock may have been set meanwhile, so it is asked what is due.
  private func ring(_ instant: Instant) {
    guard alarm == instant else { return }
    alarm = nil
    let now = world.now()
    for (account, room) in rooms {
      for (number, waiter) in room.waiters where waiter.deadline <= now {
        wake(number, in: account, .timeout)
      }
      if let end = room.today?.end, end <= now { elapse(account, room) }
    }
    endAll { caller in caller.token.expiresAt.map { $0 <= now } ?? false }
    beat(now)
    var next = nextBeat
    for room in rooms.values {
      let instants =
        [room.today?.end] + room.waiters.values.map(\.deadline)
        + room.members.values.map(\.caller.token.expiresAt)
      next = ([next] + instants).compactMap { $0 }.filter { $0 > now }.min()
    }
    if let next { arm(for: next) }
  }

  private func beat(_ now: Instant) {
    guard let due = nextBeat else { return }
    // Set back, the clock would else have them wait for long.
    guard due <= now || due.milliseconds - now.milliseconds > Self.beatInterval else { return }
    var isHeard = false
    for room in rooms.values {
      for member in room.members.values {
        isHeard = true
        member.stream.write(ChangeEvent.heartbeat)
      }
    }
    nextBeat = isHeard ? now.adding(milliseconds: Self.beatInterval) : nil
  }

  /// A day of an account is over: tells whose periods ended with it.
  private func elapse(_ account: Account.ID, _ room: Room) {
    if let published = store.stateInMemory(account) { return elapse(room, published.state) }
    room.today?.end = nil
    readState(of: account) { hub, state in
      guard let room = hub.rooms[account] else { return }
      if let state { return hub.elapse(room, state) }
      // Looked at again with the next beat.
      room.today?.end = hub.nextBeat
    }
  }

  private func elapse(_ room: Room, _ state: AccountState) {
    let before = room.today?.day
    look(room, at: state.calendar)
    guard let before, let today = room.today?.day else { return }
    let goals = state.elapsed(since: before, on: today, in: world.zones.calendar(state.calendar))
    guard !goals.isEmpty else { return }
    let event = ChangeEvent.elapse(goals)
    for member in room.members.values { member.stream.write(event) }
  }
}
