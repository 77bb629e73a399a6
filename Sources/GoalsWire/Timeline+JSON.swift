import GoalsCore
import JSON

/// The timelines of a goal as the snapshot keeps them. Each is a list of pairs: an instant
/// (milliseconds since 1970) and a value.
package struct Timelines: Hashable, Sendable, JSONWritable {
  package let intervals: Timeline<Interval>
  package let frequencies: Timeline<Frequency>
  package let activity: Timeline<Bool>
  package let existence: Timeline<Bool>

  package init(of goal: TrackedGoal) {
    intervals = goal.intervals
    frequencies = goal.frequencies
    activity = goal.activity
    existence = goal.existence
  }

  package func write(to json: inout JSONWriter) {
    json.object { json in
      json.member("intervals") { intervals.write(to: &$0) }
      json.member("frequencies") { frequencies.write(to: &$0) }
      json.member("activity") { activity.write(to: &$0) }
      json.member("existence") { existence.write(to: &$0) }
    }
  }

  /// Reads the output of `write`; nil for anything else.
  package init?(_ bytes: [UInt8]) {
    guard let document = try? JSONDocument(parsing: bytes) else { return nil }
    self.init(document.root)
  }

  /// Reads the same from a JSON value.
  package init?(_ value: JSONValue) {
    var object = ObjectReader(value)
    let intervals = object.take("intervals").flatMap { Timeline($0, of: .interval) }
    let frequencies = object.take("frequencies").flatMap { Timeline($0, of: .frequency) }
    let activity = object.take("activity").flatMap { Timeline($0, of: .flag) }
    let existence = object.take("existence").flatMap { Timeline($0, of: .flag) }
    guard object.finish().isEmpty, let intervals, let frequencies, let activity, let existence
    else { return nil }
    self.intervals = intervals
    self.frequencies = frequencies
    self.activity = activity
    self.existence = existence
  }
}

extension Timeline where Value: JSONWritable {
  fileprivate func write(to json: inout JSONWriter) {
    json.array { json in
      for setting in settings {
        json.array { json in
          json.value(setting.from.milliseconds)
          json.value(setting.value)
        }
      }
    }
  }
}

extension Timeline {
  fileprivate init?(_ value: JSONValue, of reading: Reading<Value>) {
    guard let elements = value.elements else { return nil }
    var settings: [Setting] = []
    for element in elements {
      guard let pair = element.elements.map(Array.init), pair.count == 2,
        let from = pair[0].number?.integer, let value = reading.read(pair[1])
      else { return nil }
      settings.append(Setting(from: Instant(milliseconds: from), value: value))
    }
    self.init(settings)
  }
}
