import GoalsCore
import JSON

extension Goal: JSONWritable {
  package func write(to json: inout JSONWriter) {
    json.object { json in writeMembers(to: &json) }
  }

  fileprivate func writeMembers(to json: inout JSONWriter) {
    json.member("id", id)
    json.member("title", title)
    json.member("colour", colour)
    json.member("interval", interval)
    json.member("frequency", frequency)
    json.member("unit", unit)
  }
}

extension Goals.Item: JSONWritable {
  /// The goal with progress, as clients read it.
  package func write(to json: inout JSONWriter) {
    json.object { json in writeMembers(to: &json) }
  }

  /// Writes the members into the open object.
  package func writeMembers(to json: inout JSONWriter) {
    goal.writeMembers(to: &json)
    json.member("active", progress.isActive)
    switch progress {
    case .inactive:
      json.member("progress") { $0.null() }
      json.member("completion") { $0.null() }
      json.member("period") { $0.null() }
    case .active(let running):
      json.member("progress", running.count)
      json.member(
        "completion", JSONRatio(Int64(running.count), over: Int64(goal.frequency.value)))
      json.member("period", running.period)
    }
    json.member("streak", streak)
    switch progress {
    case .inactive:
      json.member("today") { $0.null() }
      json.member("state") { $0.null() }
    case .active(let running):
      json.member("today", running.today)
      json.member("state", running.state.rawValue)
    }
  }
}

extension Period: JSONWritable {
  package func write(to json: inout JSONWriter) {
    json.object { json in
      json.member("start", start)
      json.member("end", end)
    }
  }
}

extension Streak: JSONWritable {
  package func write(to json: inout JSONWriter) {
    json.object { json in
      json.member("current", current)
      json.member("longest", longest)
    }
  }
}

extension Goal.Changes: JSONWritable {
  package func write(to json: inout JSONWriter) {
    json.object { json in
      for change in all {
        switch change {
        case .retitling(let title): json.member("title", title)
        case .recolouring(let colour): json.member("colour", colour)
        case .rescheduling(let interval): json.member("interval", interval)
        case .targeting(let frequency): json.member("frequency", frequency)
        case .measuring(let unit): json.member("unit", unit)
        }
      }
    }
  }
}

extension CalendarSettings {
  /// Writes the members into the open object.
  package func writeMembers(to json: inout JSONWriter) {
    json.member("timeZone", timeZone.text)
    json.member("weekStart", weekStart)
    json.member("dayStart", dayStart)
  }
}
