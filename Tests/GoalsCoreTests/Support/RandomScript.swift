@testable import GoalsCore

/// Makes up what happens to an account, over so few goals that edits meet, at instants at which
/// something else may happen too: where days, weeks, months and summer time begin and end, and when
/// earlier edits happened.
struct RandomScript {
  var dice: SeededDice
  let home: ZoneName
  private(set) var now: Instant
  private let changes: [Instant]
  private var edits: RandomEdits
  private var sent: UInt64 = 0

  private static let minute: Int64 = 60_000
  private static let hour = 60 * minute
  private static let day = 24 * hour

  /// `changes` are those of the clocks at home.
  init(seed: UInt64, home: ZoneName, changes: [Instant]) {
    dice = SeededDice(seed: seed)
    self.home = home
    self.changes = changes
    now = AccountState.earliest
    edits = RandomEdits()
    now = beginning()
  }

  mutating func account() -> EditScript {
    let minutes = dice.one(of: [0, 0, 0, 150, 180, 720, dice.number(in: 0...720)])
    return EditScript(
      calendar: CalendarSettings(
        timeZone: home, weekStart: dice.one(of: Weekday.allCases),
        dayStart: DayStart(minutes: minutes) ?? .midnight),
      maximumGoals: dice.one(of: [2, 4, 5, 1000]))
  }

  /// Shortly before something that calendars care about.
  private mutating func beginning() -> Instant {
    let days: Int64
    switch dice.number(in: 0...11) {
    case 0...1 where home.text == "Pacific/Apia": return acrossDateLine()
    case 0...4 where !changes.isEmpty:
      return dice.one(of: changes).adding(
        milliseconds: dice.number(in: -3 * Self.day...Self.hour))
    case 5...6: days = Int64(dice.one(of: Array(SimpleCalendar.firstsOfMonths[361...815])))
    case 7: days = 11_016 + 1461 * dice.number(in: Int64(0)...9)  // 29 February
    case 8: return acrossDateLine()
    case 9: days = 10_959  // 2000-01-03
    default: days = dice.number(in: Int64(10_960)...24_800)
    }
    let instant = days * Self.day + dice.number(in: -2 * Self.day...Self.day)
    return Instant(milliseconds: max(instant, AccountState.earliest.milliseconds))
  }

  /// When Apia went from 2011-12-29 to 2011-12-31: at 10:00 in UTC.
  private static let dateLine = Instant(milliseconds: 15_338 * day + 10 * hour)

  private mutating func acrossDateLine() -> Instant {
    edits.crossesDateLine = true
    return Self.dateLine.adding(milliseconds: dice.number(in: -2 * Self.day...5 * Self.hour))
  }

  /// Now and then; more often after a look, and where something is dated ahead of the server's
  /// clock.
  mutating func wantsToLook(after step: EditScript.Step) -> Bool {
    switch step {
    case .look: return dice.chance(1, in: 4)
    case .send(let batch, let now):
      if case .edit(let proposed)? = batch.proposals.last, let at = proposed.at, at > now {
        return dice.chance(1, in: 5)
      }
      return dice.chance(1, in: 40)
    }
  }

  /// Mostly now, else later or a little before.
  mutating func look(on both: SideBySide) -> EditScript.Step {
    let instant =
      switch dice.number(in: 0...5) {
      case 0...2: now
      case 3: shifted(dice.one(of: [0...20 * Self.day, -3 * Self.day...0]))
      default: boundary(on: both, days: 0...3)
      }
    let first = instant.milliseconds / Self.day + dice.number(in: Int64(-60)...2)
    let length = dice.number(in: Int64(1)...dice.one(of: [3, 90]))
    return .look(at: instant, in: Day(clamping: first)..<Day(clamping: first + length))
  }

  /// Mostly an edit by itself, now and then a batch of a few, under all conditions.
  mutating func step(on both: SideBySide) -> EditScript.Step {
    passTime(on: both)
    let isSingle = dice.chance(8, in: 10)
    var proposals = [proposal(on: both)]
    while !isSingle, proposals.count < 4, dice.chance(2, in: 3) {
      proposals.append(dice.chance(1, in: 10) ? proposals[0] : proposal(on: both))
    }
    let isConditional = proposals.contains(where: \.isListed) || !isSingle && dice.chance(1, in: 3)
    let batch = Batch(
      device: dice.one(of: ["phone", "laptop", ""]), proposals: proposals,
      isAtomic: !isSingle && dice.chance(1, in: 3),
      isOneChange: dice.chance(1, in: isSingle ? 20 : 3),
      precondition: isConditional ? precondition(on: both.log.count) : nil,
      isDryRun: dice.chance(1, in: isSingle ? 50 : 6),
      shows: dice.chance(1, in: 2) ? .progress : .nothing)
    return .send(batch, now: now)
  }

  /// Mostly one that holds.
  private mutating func precondition(on version: Int) -> Batch.Precondition? {
    let other = max(0, version - 1)
    switch dice.number(in: 0...9) {
    case 0...1: return nil
    case 2: return .version(Version(other))
    case 3...4:
      let heads = [(other, version), (version, other), (version, version), (other, other)]
      return .anyHead(
        heads.shuffled(using: &dice).prefix(2).map {
          Batch.Head(version: Version($0.0), chainPrefix: UInt64($0.1))
        })
    default: return .version(Version(version))
    }
  }

  private mutating func proposal(on both: SideBySide) -> Proposal {
    if dice.chance(1, in: 12), let old = both.log.randomElement(using: &dice) {
      return again(old, on: both)
    }
    sent += 1
    let id = Edit.ID(high: 2, low: sent)
    if dice.chance(1, in: 10), let old = both.log.suffix(8).randomElement(using: &dice) {
      // Another edit that asks for the same, perhaps after that one was taken back.
      let (at, day) = (dice.one(of: [nil, old.at]), dice.one(of: [nil, old.day]))
      return .edit(ProposedEdit(id: id, at: at, day: day, edit: old.edit))
    }
    let edit = edits.next(in: both.simple, &dice)
    var instant = instant(on: both)
    switch edit {
    case .account(.undo(let target)) where dice.chance(1, in: 6):
      instant = both.simple.log.entry(target)?.at
    case .goal(.setActivity) where dice.chance(1, in: 2),
      .goal(.delete) where dice.chance(1, in: 3),
      .account(.undo) where dice.chance(1, in: 8):
      // Pauses of whole days, and of whole periods, to the millisecond.
      let clock = both.clocks.calendar(both.state.calendar).clock
      instant = clock.instant(from: clock.day(of: now) - dice.number(in: 0...4))
    case .goal, .progress, .account: break
    }
    switch edit {
    case .goal(.add(let goal)) where dice.chance(1, in: 12):
      let added = Edit(.add(goal.with(id: ID(high: 9, low: 100 + sent))))
      return .edit(ProposedEdit(id: id, at: instant, edit: added, lacksGoalID: true))
    case .goal(.add(let goal)) where dice.chance(1, in: 5),
      .goal(.update(let goal)) where dice.chance(1, in: 5):
      return .put(goal, id: id, at: instant)
    case .goal, .progress, .account:
      if dice.chance(1, in: 200) { return .refused(Rejection(.invalid, ""), id: id, sent: nil) }
      let day = day(of: instant, for: edit, on: both)
      return .edit(ProposedEdit(id: id, at: instant, day: day, edit: edit))
    }
  }

  /// Mostly none; else the day that an edit is meant for, now and then too far from that of its
  /// instant.
  private mutating func day(of instant: Instant?, for edit: Edit, on both: SideBySide) -> Day? {
    guard case .progress = edit, dice.chance(1, in: 3) else { return nil }
    let day = both.calendar.day(of: instant ?? now)
    return day.adding(days: dice.one(of: [-1, -1, 0, 1, 1, -2, 2]))
  }

  /// Mostly a little; now and then to the edge of a day, or back, as a server's clock may be set.
  private mutating func passTime(on both: SideBySide) {
    switch dice.number(in: 0...99) {
    case 0..<20: break
    case 20..<35: now = shifted(0...2000)
    case 35..<55: now = shifted(0...2 * Self.hour)
    case 55..<80: now = shifted(0...Self.day)
    case 80..<92: now = max(now, boundary(on: both, days: 0...1))
    case 92..<96: now = shifted(0...10 * Self.day)
    case 96: now = shifted(0...50 * Self.day)
    case 97: now = shifted(-2 * Self.hour...0)
    default: now = shifted(-Self.minute...0)
    }
  }

  private mutating func shifted(_ range: ClosedRange<Int64>) -> Instant {
    now.adding(milliseconds: dice.number(in: range))
  }

  /// At, just before or just after the start of a day, counted from today.
  private mutating func boundary(on both: SideBySide, days: ClosedRange<Int>) -> Instant {
    let clock = both.clocks.calendar(both.state.calendar).clock
    let start = clock.instant(from: clock.day(of: now) + dice.number(in: days))
    return start.adding(
      milliseconds: dice.one(of: [0, -1, 1, -Self.minute, -3 * Self.minute, Self.hour]))
  }

  /// Nothing, or from too long ago to a little too far ahead.
  private mutating func instant(on both: SideBySide) -> Instant? {
    if edits.crossesDateLine, dice.chance(1, in: 6) {
      return Self.dateLine.adding(milliseconds: dice.number(in: -5...20) * Self.hour)
    }
    switch dice.number(in: 0...99) {
    case 0..<28: return nil
    case 28..<45: return shifted(-Self.day...0)
    case 45..<55: return shifted(-20 * Self.day...0)
    case 55..<62: return shifted(0...5 * Self.minute)
    case 62..<64: return now.adding(milliseconds: 5 * Self.minute + dice.number(in: -1...1))
    case 64..<78: return boundary(on: both, days: -8...0)
    case 78..<93:
      guard let old = both.log.randomElement(using: &dice) else { return nil }
      return old.at.adding(milliseconds: dice.one(of: [0, -1, 1, Self.hour, -Self.hour]))
    case 93..<96:
      let change = changes.last { $0 <= now } ?? now
      return change.adding(milliseconds: dice.number(in: -90...180) * Self.minute)
    case 96: return shifted(-Self.day * 100...0)
    case 97: return AccountState.earliest.adding(milliseconds: -dice.number(in: 1...Self.day))
    case 98:
      // Near 2000 only: elsewhere a history would have thousands of periods.
      return now.milliseconds < AccountState.earliest.milliseconds + 60 * Self.day
        ? AccountState.earliest : shifted(5 * Self.minute...Self.day)
    default: return Instant(milliseconds: dice.one(of: [.min, .max, 0]))
    }
  }

  /// An id that is recorded, with the same content in one of its forms, or with other content.
  private mutating func again(_ old: RecordedEdit, on both: SideBySide) -> Proposal {
    let (at, day) = (dice.one(of: [nil, old.at]), dice.one(of: [nil, old.day]))
    switch (dice.number(in: 0...7), old.edit) {
    case (0, _):
      return .edit(
        ProposedEdit(id: old.id, at: at, edit: edits.next(in: both.simple, &dice)))
    case (1, _):
      let later = old.at.adding(milliseconds: 1)
      return .edit(ProposedEdit(id: old.id, at: later, edit: old.edit))
    case (2, .goal(.setActivity(.keyed(let activity)))):
      let values = activity.elements.map { $0.isActive != dice.chance(1, in: 6) }
      return .edit(ProposedEdit(id: old.id, at: at, edit: Edit(.setActivity(.listed(values)))))
    case (3...4, .goal(.setActivity(.keyed(let activity)))):
      let reversed = KeyedActivity(activity.elements.reversed())
      return .edit(ProposedEdit(id: old.id, at: at, edit: Edit(.setActivity(.keyed(reversed)))))
    case (5, .goal(.setActivity(.keyed(let activity)))):
      let others = activity.elements.enumerated().map { index, element in
        KeyedActivity.Element(goal: ID(high: 9, low: UInt64(index)), isActive: element.isActive)
      }
      return .edit(
        ProposedEdit(
          id: old.id, at: at, edit: Edit(.setActivity(.keyed(KeyedActivity(others)))),
          lacksGoalID: true))
    case (2...3, .goal(.add(let goal))):
      let other = Edit(.add(goal.with(id: ID(high: 9, low: sent))))
      return .edit(ProposedEdit(id: old.id, at: at, edit: other, lacksGoalID: true))
    case (4...5, .goal(.add(let goal))), (4...5, .goal(.update(let goal))):
      return .put(goal, id: old.id, at: at)
    case (6, .progress):
      let other = old.day?.adding(days: 1)
      return .edit(ProposedEdit(id: old.id, at: at, day: other, edit: old.edit))
    // NB: open, pairs of a number and an edit
    default: return .edit(ProposedEdit(id: old.id, at: at, day: day, edit: old.edit))
    }
  }
}

extension Proposal {
  fileprivate var isListed: Bool {
    if case .edit(let proposed) = self, case .goal(.setActivity(.listed)) = proposed.edit {
      true
    } else {
      false
    }
  }
}
