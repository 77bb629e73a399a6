import GoalsCore
import GoalsWire
import HTTP
import JSON

extension Endpoint {
  static let readAccount = Endpoint(.get, "/v1/account") { exchange throws(Problem) in
    let completion = exchange.answering { (account: AccountView) in
      Response(.ok, json: account.json)
    }
    return .account(.read(try exchange.account, completion))
  }

  static let configureAccount = Endpoint(.patch, "/v1/account", body: .patch) {
    exchange throws(Problem) in
    let sent = try exchange.body { object in
      (
        CalendarSettings.Changes.readPatch(
          from: &object, defaults: exchange.world.usualCalendar),
        RepeatedAccount(from: &object)
      )
    }
    let (conditions, (read, repeated)) = try exchange.conditions(with: sent)
    let changes: CalendarSettings.Changes
    switch read {
    case .success(let asked)?: changes = asked
    case .failure(let rejection)?: throw Problem(rejection)
    case nil: throw .invalid([])
    }
    let edit = ProposedEdit(id: conditions.key, edit: Edit(.configure(changes)))
    let change = try exchange.change([.edit(edit)], of: nil, shows: .state, under: conditions)
    let completion = exchange.answering { (configured: ConfiguredAccount) throws(Problem) in
      try configured.batch.check()
      return Response(.ok, json: configured.account.json)
    }
    return .account(.configure(change, repeating: repeated, completion))
  }

  static let addAccount = Endpoint(.post, "/v1/accounts", body: .required, for: .newcomers) {
    exchange throws(Problem) in
    let asked = try exchange.valid(AskedAccount.read(try exchange.json(), in: exchange.world))
    guard asked.hasZone(in: exchange.world) else { throw .noCalendar }
    let completion = exchange.answering { (new: NewAccount) in
      Response(
        .created, fields: [.location: "/v1/account"], json: new.account.json(andToken: new.token))
    }
    return .account(.add(asked, tokenName: "first token", isSignUp: true, completion))
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
