import GoalsCore

extension Store.Book {
  init(_ engine: StoreEngine) {
    accounts = { () throws(StoreError) in try engine.read(.long) { try $0.accounts() } }
    account = { id throws(StoreError) in try engine.read(.short) { try $0.account(id) } }
    timeZones = { () throws(StoreError) in try engine.read(.overview) { try $0.timeZones() } }
    count = { () throws(StoreError) in try engine.read(.short) { try $0.accountCount() } }
    logBytes = { () throws(StoreError) in try engine.read(.overview) { try $0.logBytes() } }
    addAccount = { account, token, link throws(StoreError) in
      try engine.write { data in
        try data.add(account, with: token)
        if let link { try data.add(link) }
      }
    }
    signUp = { account, token, maximum throws(StoreError) in
      try engine.write { data in
        guard try data.accountCountAlone() < maximum else { return false }
        try data.add(account, with: token)
        return true
      }
    }
    renameAccount = { account, name throws(StoreError) in
      try engine.write { try $0.rename(account, to: name) }
    }
    recordChoiceOfZone = { account throws(StoreError) in
      try engine.write { try $0.recordChoiceOfZone(of: account) }
    }
    removeAccount = engine.remove
    tokens = { account throws(StoreError) in try engine.read(.long) { try $0.tokens(of: account) } }
    tokensInUse = { account throws(StoreError) in
      try engine.read(.long) { try $0.tokensInUse(of: account) }
    }
    token = { secret throws(StoreError) in try engine.read(.short) { try $0.token(secret: secret) }
    }
    addToken = { token, asker throws(StoreError) in
      try engine.write { data in
        try data.admit(asker)
        guard try data.tokenCount(of: token.account).isFull == false else { return false }
        try data.add(token)
        return true
      }
    }
    revokeToken = engine.revoke
    addLink = engine.add
    link = { secret throws(StoreError) in try engine.read(.short) { try $0.link(secret: secret) } }
    useLink = engine.use
    session = { secret throws(StoreError) in
      try engine.read(.short) { try $0.session(secret: secret) }
    }
    addSession = { session throws(StoreError) in
      try engine.write { data in
        try data.admit(Authority(token: session.token))
        return try data.add(session)
      }
    }
    endSession = engine.endSession
    renewSessions = { renewals throws(StoreError) in
      try engine.write { try $0.renewSessions(renewals) }
    }
    recordUses = { uses throws(StoreError) in try engine.write { try $0.recordUses(uses) } }
  }
}
