import GoalsCore
import GoalsStore
import HTTP
import HTTPServer

/// Finds the caller of a request. Refuses a caller who may not come in, or asks too often.
final class Gatekeeper: Sendable {
  private let authenticator: Authenticator
  private let world: World
  private let policy: AccessPolicy
  private let attempts: AttemptCounter
  private let rates: RateLimiter<TokenRecord.ID>
  private let accountRates: RateLimiter<Account.ID>
  private let buttonRates: RateLimiter<TokenRecord.ID>
  let seats: Seats
  /// Of people who show nothing in the head of a request.
  private let strangers: RateLimiter<ClientAddress>
  private let signUpsAnHour: AttemptCounter
  private let crossOrigin: CrossOrigin
  let sessionCookie: SessionCookie

  init(_ authenticator: Authenticator, _ policy: AccessPolicy, in world: World) {
    self.authenticator = authenticator
    self.world = world
    self.policy = policy
    attempts = AttemptCounter(limit: policy.failedSignIns)
    rates = RateLimiter(rate: policy.rateLimit, burst: policy.rateBurst)
    let share = AccessPolicy.tokensOfAccount
    accountRates = RateLimiter(rate: policy.rateLimit * share, burst: policy.rateBurst * share)
    buttonRates = RateLimiter(rate: policy.buttonRate, inSeconds: 60, burst: policy.buttonRate)
    seats = Seats(maximum: policy.accountConnections)
    strangers = RateLimiter(rate: policy.rateLimit, burst: policy.rateBurst)
    signUpsAnHour = AttemptCounter(limit: policy.rateLimit == 0 ? 0 : policy.signUps, minutes: 60)
    crossOrigin = CrossOrigin(policy.crossOrigins)
    sessionCookie = SessionCookie(publicURL: policy.publicURL)
  }

  /// The caller of a request; nil where the audience needs none. To be asked once a request,
  /// because requests are counted here.
  func caller(
    of head: RequestHead, from visitor: Visitor, for audience: Endpoint.Audience
  ) throws(Problem) -> Caller? {
    switch audience {
    case .anyone: return nil
    case .newcomers:
      guard policy.isSignUpOpen else { throw .signUpClosed }
      let (address, now) = (address(of: head, visitor.peer), world.now())
      let wait =
        strangers.take(address, at: now)
        ?? signUpsAnHour.attempt(from: address, at: now, counts: false)
      if let wait { throw .tooManyRequests(after: wait) }
      return nil
    case .holders, .readers, .readersAndButtons, .readersOrCode, .counters, .writers,
      .writersOrCode, .writersAndButtons:
      let isNeeded = !audience.isOfStrangers
      guard let caller = try caller(of: head, from: visitor, isNeeded: isNeeded) else {
        let wait = strangers.take(address(of: head, visitor.peer), at: world.now())
        if let wait { throw .tooManyRequests(after: wait) }
        return nil
      }
      if caller.session != nil, head.method != .get, head.method != .head {
        guard isSameOrigin(head) else { throw .crossOrigin }
      }
      return caller
    }
  }

  /// The caller, once the request is counted. The connection counts as the account's. The request
  /// takes a permit of the token and one of its account; a token without a permit takes none of its
  /// account.
  ///
  /// - Parameter isNeeded: where the body may show a credential, there may be none in the head, nor
  ///   a cookie that opens anything: then the caller is nil.
  private func caller(
    of head: RequestHead, from visitor: Visitor, isNeeded: Bool
  ) throws(Problem) -> Caller? {
    let caller =
      if let known = remembered(head, visitor) { known } else {
        try authenticated(head, visitor, isNeeded: isNeeded)
      }
    guard let caller else { return nil }
    guard seats.seat(visitor, of: caller.account) else { throw .tooManyRequests(after: 1) }
    let now = world.now()
    let isButton = caller.token.scope == .bump && head.method == .post
    if let seconds = rates.take(caller.token.id, at: now)
      ?? accountRates.take(caller.account, at: now)
      ?? (isButton ? buttonRates.take(caller.token.id, at: now) : nil)
    {
      throw .tooManyRequests(after: seconds)
    }
    return caller
  }

  /// The caller of the connection's last request, where this one shows the same token, and nothing
  /// was taken away since.
  private func remembered(_ head: RequestHead, _ visitor: Visitor) -> Caller? {
    guard let last = visitor.attachment as? RememberedCaller,
      let authorization = head.fields.only(.authorization), last.isShown(by: authorization),
      authenticator.admits(last.caller, since: last.epoch)
    else { return nil }
    return last.caller
  }

  private func authenticated(
    _ head: RequestHead, _ visitor: Visitor, isNeeded: Bool
  ) throws(Problem) -> Caller? {
    let found = takeFound(visitor)
    let epoch = found?.epoch ?? epoch
    let credentials = Credentials(head.fields, sessionCookie)
    switch credentials {
    // A request without credentials is no guess, and one with two cookies may be a victim's.
    case .none where !isNeeded: return nil
    case .none, .severalCookies: throw credentials.refusal
    case .shown, .noToken, .unreadable: break
    }
    let known = try reading { () throws(StoreError) in
      if let found { return try found.caller.get() }
      guard case .shown(let credential) = credentials else { return nil }
      return try authenticator.caller(credential)
    }
    guard let caller = known else {
      if !isNeeded, !credentials.areOfToken { return nil }
      // A cookie that fails is not tracked: browsers still show the cookie of a session that is
      // over, and nobody should shut them out for it.
      throw failure(of: head, from: visitor.peer, isTracked: credentials.areOfToken)
        ?? credentials.refusal
    }
    if case .shown(.token) = credentials, let authorization = head.fields.only(.authorization) {
      visitor.attachment = RememberedCaller(authorization, caller, epoch)
    }
    return caller
  }

  // MARK: A store far away

  /// The caller as the store knows it, on the way to `caller(of:from:for:)`.
  private final class Found: Sendable {
    let caller: Result<Caller?, StoreError>
    /// The gatekeeper's epoch before the caller was found.
    let epoch: Int

    init(_ caller: Result<Caller?, StoreError>, _ epoch: Int) {
      self.caller = caller
      self.epoch = epoch
    }
  }

  private func takeFound(_ visitor: Visitor) -> Found? {
    guard let found = visitor.attachment as? Found else { return nil }
    visitor.attachment = nil
    return found
  }

  /// The read of the store that `caller(of:from:for:)` needs first. It runs away from the queue
  /// that serves all, and its result becomes the visitor's attachment. Nil where the caller is in
  /// memory, or the store is at hand.
  func lookUp(
    for head: RequestHead, from visitor: Visitor, for audience: Endpoint.Audience
  ) -> (@Sendable () -> any AnyObject & Sendable)? {
    guard authenticator.isStoreRemote, audience.needsCaller else { return nil }
    let epoch = epoch
    if let found = visitor.attachment as? Found {
      // Where somebody was shut out meanwhile, it may be this caller.
      if found.epoch == epoch { return nil }
      visitor.attachment = nil
    }
    guard remembered(head, visitor) == nil,
      case .shown(let credential) = Credentials(head.fields, sessionCookie)
    else { return nil }
    if let caller = authenticator.remembered(credential) {
      visitor.attachment = Found(.success(caller), epoch)
      return nil
    }
    return { [authenticator] in
      let caller = Result { () throws(StoreError) in try authenticator.caller(credential) }
      return Found(caller, epoch)
    }
  }

  /// Counts a failed sign-in. Answers the refusal of an address that has failed too often.
  func failure(of head: RequestHead, from peer: Peer, isTracked: Bool = true) -> Problem? {
    let wait = attempts.attempt(from: address(of: head, peer), at: world.now())
    if let wait { return .tooManyRequests(after: wait) }
    if isTracked {
      let client = ClientAddress.text(of: head, from: peer, trustingProxy: policy.trustsProxy)
      world.track(.signInFailed(client: client))
    }
    return nil
  }

  /// The caller by the store. A failure of the store is tracked.
  private func reading(
    _ read: () throws(StoreError) -> Caller?
  ) throws(Problem) -> Caller? {
    do throws(StoreError) {
      return try read()
    } catch {
      world.track(.store(.failed(error)))
      throw .unreadable
    }
  }

  /// Changes with everything that is taken away.
  var epoch: Int { authenticator.epoch }

  /// The caller of a request that was let in by its head, once its body is whole. A caller whose
  /// token was revoked meanwhile is refused. A session is renewed, now that the answer can say so.
  ///
  /// - Parameter epoch: the epoch before the caller was let in.
  func returning(_ caller: Caller, since epoch: Int) throws(Problem) -> Caller {
    if isUnchanged(caller, since: epoch) { return caller }
    let renewed = try reading { () throws(StoreError) in try authenticator.renewed(caller) }
    if let renewed { return renewed }
    throw caller.session == nil ? .invalidToken : .unauthenticated
  }

  private func isUnchanged(_ caller: Caller, since epoch: Int) -> Bool {
    authenticator.admits(caller, since: epoch)
  }

  /// Whether `returning` may look at a store far away.
  func mayLookUp(_ caller: Caller, since epoch: Int) -> Bool {
    authenticator.isStoreRemote && !isUnchanged(caller, since: epoch)
  }

  /// Whether a caller who was let in before is still let in. Where that can't be read, the caller
  /// stays.
  func admits(_ caller: Caller) -> Bool {
    authenticator.admits(caller, in: world)
  }

  /// Counts a sign-up, once the whole request is there. Before that it can't make an account.
  func countSignUp(from address: ClientAddress) throws(Problem) {
    if let wait = signUpsAnHour.attempt(from: address, at: world.now()) {
      throw .tooManyRequests(after: wait)
    }
  }

  /// Takes a refused sign-up out of the count: only those count that made an account.
  func takeBackSignUp(from address: ClientAddress) {
    signUpsAnHour.takeBack(from: address, at: world.now())
  }

  func address(of head: RequestHead, _ peer: Peer) -> ClientAddress {
    ClientAddress(of: head, from: peer, trustingProxy: policy.trustsProxy)
  }

  /// Whether a page of this server makes the request, as the browser says. A request without an
  /// origin may come from anywhere.
  func isSameOrigin(_ head: RequestHead) -> Bool {
    let origins = head.fields.values(.origin)
    guard origins.count == 1, let origin = Origin(origins[0]), origin == own(head) else {
      return false
    }
    // A browser may say more (Fetch Metadata), and that has to fit.
    return head.fields.values("Sec-Fetch-Site").allSatisfy { $0 == "same-origin" }
  }

  /// The origin of this server, as the client sees it.
  func own(_ head: RequestHead) -> Origin? {
    policy.publicURL ?? head.authority.map { Origin(isSecure: isForwardedSecurely(head), $0) }
  }

  private func isForwardedSecurely(_ head: RequestHead) -> Bool {
    policy.trustsProxy
      && head.fields.list("X-Forwarded-Proto").last?.lowercased() == "https"
  }

  // MARK: The cookie of a session

  /// The cookies that give a client the key of a session; nil takes the key away.
  func cookies(_ key: SessionKey?, for head: RequestHead) -> [String] {
    let isSecure = policy.publicURL?.isSecure ?? isForwardedSecurely(head)
    return sessionCookie.set(key, isSecure: isSecure, after: head.fields)
  }

  /// A year: for so long a browser that came by https asks by no other way. What other hosts of the
  /// domain do is not for this one to say, so they are left out.
  private static let strictTransport = Fields.Field("Strict-Transport-Security", "max-age=31536000")

  /// Adds the fields for a browser: the cookie of a session that was renewed, the origin that may
  /// read the answer, and that the server is reached by https only (RFC 6797 §7.1).
  func finish(_ response: inout Response, to head: RequestHead?, by caller: Caller?) {
    if let head, let caller, caller.isSessionRenewed, response.fields["Set-Cookie"] == nil,
      case .shown(.session(let key)) = Credentials(head.fields, sessionCookie)
    {
      for cookie in cookies(key, for: head) { response.fields.append("Set-Cookie", cookie) }
    }
    if policy.publicURL?.isSecure == true { response.fields.append(Self.strictTransport) }
    crossOrigin.permit(&response, to: head)
  }
}
