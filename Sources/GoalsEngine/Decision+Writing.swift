import GoalsCore
import GoalsReplica
import GoalsWire
import JSON

extension Replica.Decision: JSONWritable {
  package func write(to json: inout JSONWriter) {
    json.object { json in
      switch self {
      case .keep(let delta, let number):
        json.member("decision", "keep")
        json.member("number", number)
        json.member("change", delta)
      case .send(let request, let ticket):
        let http = request.http
        json.member("decision", "send")
        json.member("ticket", ticket)
        json.member("method", http.method)
        json.member("target", http.target)
        if let body = http.body { json.member("body") { $0.raw(body) } }
      case .follow(let cursor, let following):
        json.member("decision", "follow")
        json.member("by", following == .stream ? "stream" : "longPoll")
        json.member("target", following.target(after: cursor))
      case .unfollow: json.member("decision", "unfollow")
      case .findZone(let name):
        json.member("decision", "findZone")
        json.member("name", name.text)
      case .wait(let until):
        json.member("decision", "wait")
        json.member("until", until)
      case .show(let goal):
        json.member("decision", "show")
        if let goal { json.member("goal", goal) }
      case .tell(let notice):
        json.member("decision", "tell")
        notice.writeMembers(to: &json)
      }
    }
  }
}

extension Replica.Notice {
  /// Writes the members into the open object, the notice's name first.
  fileprivate func writeMembers(to json: inout JSONWriter) {
    switch self {
    case .rejected(let edit, let rejection, let wasKept):
      json.member("notice", "rejected")
      json.member("edit", edit)
      rejection.writeMembers(to: &json)
      json.member("wasKept", wasKept)
    case .unchanged(let ids):
      json.member("notice", "unchanged")
      json.member("ids", ids)
    case .notKept(let ids):
      json.member("notice", "notKept")
      json.member("ids", ids)
    case .restored(let edits):
      json.member("notice", "restored")
      json.member("edits", edits)
    case .signInNeeded: json.member("notice", "signInNeeded")
    case .otherAccount(let account):
      json.member("notice", "otherAccount")
      json.member("account", account)
    case .readOnly: json.member("notice", "readOnly")
    case .accountFull: json.member("notice", "accountFull")
    case .clockIsOff(let milliseconds):
      json.member("notice", "clockIsOff")
      json.member("by", milliseconds)
    case .newerServer: json.member("notice", "newerServer")
    case .notUnderstood(let detail):
      json.member("notice", "notUnderstood")
      json.member("detail", detail)
    }
  }
}

extension Replica.Standing: JSONWritable {
  /// Writes `{"is"}` with the name of the case, and what belongs to it.
  package func write(to json: inout JSONWriter) {
    json.object { json in
      switch self {
      case .loading: json.member("is", "loading")
      case .inStep: json.member("is", "inStep")
      case .asking: json.member("is", "asking")
      case .waiting(let until, let cause):
        json.member("is", "waiting")
        json.member("until", until)
        json.member("cause", cause.name)
        switch cause {
        case .status(let status), .refusedBetween(let status): json.member("status", status)
        case .unreachable, .asked, .nonsense: break
        }
      case .stopped(.signedOut): json.member("is", "signedOut")
      case .stopped(.otherAccount(let account)):
        json.member("is", "otherAccount")
        json.member("account", account)
      }
    }
  }
}

extension Replica.Cause {
  fileprivate var name: String {
    switch self {
    case .unreachable: "unreachable"
    case .asked: "asked"
    case .status, .refusedBetween: "status"
    case .nonsense: "nonsense"
    }
  }
}
