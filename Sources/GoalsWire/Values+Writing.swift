import GoalsCore
import JSON

extension ID: JSONWritable {
  package func write(to json: inout JSONWriter) {
    json.plainString(count: Self.textCount) { write(into: $0) }
  }
}

extension Instant: JSONWritable {
  package func write(to json: inout JSONWriter) {
    json.plainString(count: Self.textCount) { write(into: $0) }
  }
}

extension Day: JSONWritable {
  package func write(to json: inout JSONWriter) {
    json.plainString(count: Self.textCount) { write(into: $0) }
  }
}

extension DayStart: JSONWritable {
  package func write(to json: inout JSONWriter) {
    json.plainString(count: Self.textCount) { write(into: $0) }
  }
}

extension Version: JSONWritable {
  package func write(to json: inout JSONWriter) { json.value(number) }
}

extension Title: JSONWritable {
  package func write(to json: inout JSONWriter) { json.value(text) }
}

extension GoalUnit: JSONWritable {
  package func write(to json: inout JSONWriter) { json.value(text) }
}

extension Note: JSONWritable {
  package func write(to json: inout JSONWriter) { json.value(text) }
}

extension Colour: JSONWritable {
  package func write(to json: inout JSONWriter) { json.value(description) }
}

extension Interval: JSONWritable {
  package func write(to json: inout JSONWriter) { json.value(rawValue) }
}

extension Weekday: JSONWritable {
  package func write(to json: inout JSONWriter) { json.value(description) }
}

extension Frequency: JSONWritable {
  package func write(to json: inout JSONWriter) { json.value(value) }
}

extension KeyedActivity: JSONWritable {
  package func write(to json: inout JSONWriter) {
    json.object { json in
      for element in elements { json.member(named: element.goal, element.isActive) }
    }
  }
}

extension Fault: JSONWritable {
  package func write(to json: inout JSONWriter) {
    json.object { json in
      json.member("pointer", pointer)
      json.member("detail", detail)
    }
  }
}
