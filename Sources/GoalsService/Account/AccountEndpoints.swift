import GoalsCore
import GoalsStore
import GoalsWire
import HTTP
import JSON

extension Endpoint {
  static let readAccount = Endpoint(.get, "/v1/account", query: ["version"]) { exchange in
    var query = exchange.query
    let asked = query.version("version")
    let version = try exchange.valid(query.finish(asked))
    let completion = exchange.answering { (account: AccountView) in
      Response(.ok, json: account.json)
    }
    return .account(
      .read(try exchange.account, at: version, for: exchange.asker, completion))
  }

  static let configureAccount = Endpoint(.patch, "/v1/account", body: .patch) { exchange in
    var object = ObjectReader(try exchange.json())
    let refusal = object.refusalOfZone(in: exchange.world)
    let unknownZone = refusal.map { Fault(pointer: "/timeZone", detail: $0) }
    let read = CalendarSettings.Changes.readPatch(
      from: &object, defaults: exchange.world.usualCalendar)
    let repeated = RepeatedAccount(from: &object)
    let faults = object.finish()
    let asked: Validated<CalendarSettings.Changes>
    if faults.isEmpty, case .success(let changes)? = read {
      asked = .valid(changes)
    } else {
      asked = .invalid(faults.isEmpty ? [unknownZone].compactMap(\.self) : faults)
    }
    var patch: AccountPatch
    switch exchange.validatedConditions(with: asked) {
    case .invalid(let faults):
      patch = AccountPatch(account: try exchange.account, sent: .invalid(faults))
    case .valid(let (conditions, changes)):
      let sent = try exchange.sentBatch(changes, under: conditions)
      patch = AccountPatch(account: sent.account, sent: .valid(sent))
      if let zone = changes.timeZone, repeated?.repeatsZone == true {
        let others = CalendarSettings.Changes(
          weekStart: changes.weekStart, dayStart: changes.dayStart)
        patch.repetition = (zone, try exchange.sentBatch(others, under: conditions))
      }
    }
    patch.unknownZone = unknownZone
    patch.repeated = repeated
    let completion = exchange.answering { (configured: ConfiguredAccount) in
      try configured.batch.check()
      return Response(.ok, json: configured.account.json)
    }
    return .account(.configure(patch, completion))
  }

  static let addAccount = Endpoint(.post, "/v1/accounts", body: .required, for: .newcomers) {
    exchange in
    let asked = try exchange.valid(AskedAccount.read(try exchange.json(), in: exchange.world))
    guard asked.hasZone(in: exchange.world) else { throw Problem.noCalendar }
    let completion = exchange.answering { (new: NewAccount) in
      Response(
        .created, fields: [.location: "/v1/account"], json: new.account.json(andToken: new.token))
    }
    return .account(.add(asked, with: .token(name: "first token"), isSignUp: true, completion))
  }
}

extension Exchange {
  fileprivate func sentBatch(
    _ changes: CalendarSettings.Changes, under conditions: WriteConditions
  ) throws -> Store.SentBatch {
    let edit = ProposedEdit(id: conditions.key, edit: Edit(.configure(changes)))
    return try sentBatch([.edit(edit)], of: nil, shows: .state, under: conditions)
  }
}

extension AccountView {
  fileprivate var json: [UInt8] { json(andToken: nil) }

  fileprivate func json(andToken token: Token?) -> [UInt8] {
    var json = JSONWriter(reserving: 350)
    json.object { json in
      json.member("id", record.id)
      json.member("name", record.name)
      json.member("timeZone", calendar.timeZone.text)
      json.member("timeZoneChosen", record.isZoneChosen)
      json.member("weekStart", calendar.weekStart)
      json.member("dayStart", calendar.dayStart)
      json.member("version", cursor.head.version)
      json.member("cursor", cursor.description)
      json.member("createdAt", record.createdAt)
      if let token { json.member("token", token.text) }
    }
    return json.bytes
  }
}
