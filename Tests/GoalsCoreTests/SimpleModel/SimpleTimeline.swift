import GoalsCore

/// What a field was set to, in log order.
///
/// "A change holds from its `at` on and, in log order, overrides what was remembered of the same
/// field from that instant." So at an instant that value is in force which was set last among
/// those that hold from then or earlier. "A change dated before the goal's creation holds from the
/// creation."
struct SimpleTimeline<Value: Equatable> {
  private(set) var settings: [(from: Instant, value: Value)]

  init(_ value: Value, from creation: Instant) { settings = [(creation, value)] }

  var creation: Instant { settings[0].from }
  /// What was set last.
  var present: Value { settings[settings.count - 1].value }

  mutating func set(_ value: Value, at instant: Instant) {
    settings.append((max(instant, creation), value))
  }

  /// Before the creation: what was in force then.
  func value(at instant: Instant) -> Value {
    let instant = max(instant, creation)
    var value = settings[0].value
    for setting in settings where setting.from <= instant { value = setting.value }
    return value
  }

  /// The instants from which something else was in force than before, with the creation.
  var turns: [Instant] {
    var turns = [creation]
    for instant in settings.map(\.from).sorted()
    where value(at: instant) != value(at: turns[turns.count - 1]) {
      turns.append(instant)
    }
    return turns
  }
}
