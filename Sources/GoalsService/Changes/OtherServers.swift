import Dispatch
import GoalsCore
import GoalsStore

/// Learns what other servers of the same log do: in which accounts they record edits, and which
/// tokens and sessions they end. It asks the store again and again, so nothing depends on what
/// servers tell each other.
///
/// `@unchecked Sendable`, because what changes is touched on `queue` only.
final class OtherServers: @unchecked Sendable {
  /// How late an edit is told on another server at most, but for the time of a look.
  static let interval = Duration.milliseconds(500)
  /// So many accounts are asked for at once that no other reader waits long.
  private static let chunk = 2000
  /// The time between two looks for tokens and sessions that others have ended. Where the next look
  /// fails for as long again, nothing that is remembered counts any more.
  private static let betweenEnds = Authenticator.maximumSilence / 2

  private let others: Store.Others
  private let hub: ChangeHub
  private let authenticator: Authenticator
  private let world: World
  private let queue = DispatchQueue(label: "GoalsService.others")
  private var isFailing = false
  private var isStopped = false

  /// Nil where nobody else writes the log.
  init?(_ access: Access, _ hub: ChangeHub) {
    guard let others = access.store.others else { return nil }
    self.others = others
    self.hub = hub
    authenticator = access.authenticator
    world = access.world
  }

  func start() { queue.async { self.lookAgain() } }

  /// Has these accounts looked at before their time. The hint may be wrong.
  private func hear(_ accounts: [Account.ID]) {
    let followed = Set(accounts).intersection(hub.followedAccounts)
    guard !followed.isEmpty else { return }
    queue.async {
      guard !self.isStopped else { return }
      // A caller who may have been shut out meanwhile must not be told of an edit.
      if self.authenticator.isDeaf { return self.look() }
      let moment = self.hub.moment
      guard let heads = try? self.others.heads(Array(followed)) else { return }
      self.hub.learn(heads, since: moment)
    }
  }

  /// Looks no more once it has returned.
  func stop() { queue.sync { isStopped = true } }

  private func lookAgain() {
    dispatchPrecondition(condition: .onQueue(queue))
    guard !isStopped else { return }
    look()
    world.later(Self.interval, queue) { [weak self] in self?.lookAgain() }
  }

  private func look() {
    dispatchPrecondition(condition: .onQueue(queue))
    // Again and again, as what listens may be lost.
    others.listen { [weak self] accounts in self?.hear(accounts) }
    do throws(StoreError) {
      try endElsewhere()
      let accounts = hub.followedAccounts
      for start in stride(from: 0, to: accounts.count, by: Self.chunk) {
        let end = min(start + Self.chunk, accounts.count)
        let moment = hub.moment
        hub.learn(try others.heads(Array(accounts[start..<end])), since: moment)
        // Many accounts take long.
        try endElsewhere()
      }
      isFailing = false
    } catch {
      // Told once, however long it lasts.
      if !isFailing { world.track(.store(.failed(error))) }
      isFailing = true
    }
  }

  /// Asks the store anew, where it is time to, about every caller who is let in from memory or is
  /// told of edits. Shuts out the callers whom another server has shut out.
  ///
  /// The answer is how all of them stand after `moment`. A list of what was revoked would have to
  /// be kept for as long as a server may be paused or a commit may wait for its standby: here is
  /// nothing that could be missed.
  private func endElsewhere() throws(StoreError) {
    guard authenticator.silence.map({ $0 >= Self.betweenEnds }) ?? true else { return }
    let moment = world.uptime()
    let known = Array(
      Set(authenticator.beginLook() + hub.callers.map { Ended($0.token, $0.session) }))
    for start in stride(from: 0, to: known.count, by: Self.chunk) {
      let chunk = known[start..<min(start + Self.chunk, known.count)]
      for ended in try others.ended(Array(chunk)) { authenticator.end(ended) }
    }
    authenticator.heardOfOthers(at: moment)
  }
}
