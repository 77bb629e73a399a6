import GoalsCore

@testable import GoalsStore

extension TestService {
  /// The id of goal 1, 2, ….
  static func id(_ number: Int) -> String {
    let digits = String(number)
    return "00000000-0000-0000-0000-" + String(repeating: "0", count: 12 - digits.count) + digits
  }

  /// Adds active goals, called A, B, …, in this order. It takes an edit each, and one more.
  func addGoals(_ count: Int, interval: String = "daily", frequency: Int = 2) async throws {
    let adds = (1...count).reversed().map { number in
      let title = ["A", "B", "C", "D", "E"][number - 1]
      return """
        {"id":"\(Self.id(100 + number))","type":"add","goal":{"id":"\(Self.id(number))",\
        "title":"\(title)","interval":"\(interval)","frequency":\(frequency)}}
        """
    }
    let activity = (1...count).map { "\"\(Self.id($0))\":true" }.joined(separator: ",")
    let turn = "{\"id\":\"\(Self.id(100))\",\"type\":\"setActivity\",\"activity\":{\(activity)}}"
    let answer = try await ask(
      "POST /v1/edits\n\n{\"edits\":[\((adds + [turn]).joined(separator: ","))]}")
    guard answer["/version"] == "\(count + 1)" else { throw Answer.Unexpected(answer.body) }
  }

  /// Counts often, in one commit, each with the longest note.
  func addBumps(_ count: Int, from first: Int) async throws {
    let note = String(repeating: "n", count: 500)
    let edits = (first..<first + count).map { number in
      """
      {"id":"\(Self.id(number))","type":"bump","goal":"\(Self.id(1))","note":"\(note)"}
      """
    }
    let answer = try await ask("POST /v1/edits\n\n{\"edits\":[\(edits.joined(separator: ","))]}")
    guard answer.status == 200 else { throw Answer.Unexpected(answer.body) }
  }

  /// The titles of the list, in order.
  func titles() async throws -> [String] {
    try await ask("GET /v1/goals").list("/goals", "/title")
  }

  func version() async throws -> String? { try await ask("GET /v1/goals")["/version"] }

  func token(
    _ scope: String, goal: String? = nil, expires: String? = nil, account: String? = nil,
    name: String? = nil
  ) throws -> (id: String, text: String) {
    let reply = administration.perform(
      .addToken(
        .init(
          account: account ?? me.id, name: name ?? scope, scope: scope, goal: goal, expires: expires
        )))
    guard case .addedToken(let added) = reply, let text = added.token else {
      throw Answer.Unexpected("\(reply)")
    }
    return (added.id, text)
  }

  /// The token of another account, which may write.
  func stranger() throws -> String {
    try administration.addAccountWithToken("stranger", timeZone: nil).token
  }
}

extension Store {
  /// The same store, but for what is given.
  func with(
    state: (@Sendable (Account.ID) throws(StoreError) -> Published?)? = nil,
    stateInMemory: (@Sendable (Account.ID) -> Published?)? = nil,
    submit: (@Sendable (SentBatch, @escaping @Sendable (GoalsCore.Answer) -> Void) -> Void)? = nil,
    log: Log? = nil, book: Book? = nil, upkeep: Upkeep? = nil, others: Others? = nil
  ) -> Store {
    Store(
      state: state ?? self.state, stateInMemory: stateInMemory ?? self.stateInMemory,
      maximumGoals: maximumGoals, submit: submit ?? self.submit, beginImport: beginImport,
      updated: updated,
      log: log ?? self.log,
      book: book ?? self.book, upkeep: upkeep ?? self.upkeep, others: others ?? self.others,
      reset: reset, destroy: destroy)
  }
}

extension Store.Book {
  /// The same book, but for what is given.
  func with(
    token: (@Sendable (_ secret: [UInt8]) throws(StoreError) -> TokenRecord?)? = nil,
    addToken: (@Sendable (TokenRecord, Authority?) throws(StoreError) -> Bool)? = nil,
    revokeToken: (
      @Sendable (TokenRecord.ID, Account.ID, Authority?) throws(StoreError) -> [TokenRecord.ID]
    )? = nil,
    recordChoiceOfZone: (@Sendable (Account.ID) throws(StoreError) -> Void)? = nil
  ) -> Store.Book {
    Store.Book(
      accounts: accounts, account: account, timeZones: timeZones, count: count, logBytes: logBytes,
      addAccount: addAccount, signUp: signUp, renameAccount: renameAccount,
      recordChoiceOfZone: recordChoiceOfZone ?? self.recordChoiceOfZone,
      removeAccount: removeAccount,
      tokens: tokens, tokensInUse: tokensInUse, token: token ?? self.token,
      addToken: addToken ?? self.addToken,
      revokeToken: revokeToken ?? self.revokeToken, addLink: addLink, link: link, useLink: useLink,
      session: session, addSession: addSession,
      endSession: endSession, renewSessions: renewSessions, recordUses: recordUses)
  }
}
