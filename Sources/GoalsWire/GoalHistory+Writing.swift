import GoalsCore
import JSON

extension GoalHistory: JSONWritable {
  package func write(to json: inout JSONWriter) {
    json.object { json in writeMembers(to: &json) }
  }

  /// Writes the members into the open object.
  package func writeMembers(to json: inout JSONWriter) {
    json.array("days") { json in
      for day in days { json.value(day) }
    }
    json.array("periods") { json in
      for period in periods { json.value(period) }
    }
    json.member("streak", streak)
    json.member("total", total)
    if let (met, judged) = completion {
      json.member("completionRate", JSONRatio(Int64(met), over: Int64(judged)))
    } else {
      json.member("completionRate") { $0.null() }
    }
  }
}

extension GoalHistory.CountedDay: JSONWritable {
  package func write(to json: inout JSONWriter) {
    json.object { json in
      json.member("date", day)
      json.member("count", count)
      if !notes.isEmpty {
        json.array("notes") { json in
          for note in notes { json.value(note) }
        }
      }
      if let bumps {
        json.array("edits") { json in
          for bump in bumps { json.value(bump) }
        }
      }
    }
  }
}

extension StandingBumps.Bump: JSONWritable {
  package func write(to json: inout JSONWriter) {
    json.object { json in
      json.member("id", id)
      json.member("by", by.value)
      json.member("at", at)
      json.member("note", note)
    }
  }
}

extension JudgedPeriod: JSONWritable {
  package func write(to json: inout JSONWriter) {
    json.object { json in
      json.member("start", period.start)
      json.member("end", period.end)
      json.member("count", count)
      json.member("frequency", frequency)
      json.member("state", state.rawValue)
    }
  }
}
