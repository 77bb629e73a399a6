import GoalsCore
import GoalsService
import GoalsStore
import HTTP
import Logging
import Synchronization

/// Writes what happened to the log.
final class HappeningLog: Sendable {
  private let logger: Logger
  /// The time since some moment.
  private let uptime: @Sendable () -> Duration
  private let disk = Mutex(FullDisk())
  private let signIns = Mutex(FailedSignIns())
  private let failures = Mutex(RepeatedLines())

  init(logger: Logger, uptime: @escaping @Sendable () -> Duration) {
    self.logger = logger
    self.uptime = uptime
  }

  func log(_ happening: Happening) {
    switch happening {
    case .store(let event): log(event)
    case .recorded(let account, let edits, let version):
      logger.debug(
        "recorded",
        metadata: [
          "account": "\(account)", "edits": .stringConvertible(edits),
          "version": .stringConvertible(version.number),
        ])
    case .imported(let account, let version):
      logger.info(
        "imported",
        metadata: ["account": "\(account)", "version": .stringConvertible(version.number)])
    case .backedUp(let report, _):
      let bytes = Logger.MetadataValue.stringConvertible(Int(report.bytes))
      logger.info("backed up", metadata: ["bytes": bytes])
    case .zoneFailed(let name, let reason):
      logger.error(
        "a time zone can't be read; accounts in it are answered 503 until it can",
        metadata: ["zone": "\(name)", "error": "\(reason)"])
    case .lackingZone(let name, let accounts):
      logger.warning(
        "accounts are in a time zone that this machine lacks; they are answered 503 until it has it",
        metadata: ["zone": "\(name)", "accounts": .stringConvertible(accounts)])
    case .failed(let requestID, let operation):
      logger.error(
        "a request failed", metadata: ["request": "\(requestID)", "operation": "\(operation)"])
    case .started(let listeners):
      logger.info("started", metadata: ["listeners": "\(listeners.joined(separator: ", "))"])
    case .answered(let answered):
      logger.log(
        level: isExpected(answered) || !isWarned(of: answered) ? .debug : .warning, "answered",
        metadata: [
          "request": "\(answered.requestID)", "operation": "\(answered.operation ?? "-")",
          "status": .stringConvertible(answered.status),
          "milliseconds": answered.duration.milliseconds,
        ])
    case .signInFailed(let client):
      tell(signIns.withLock { $0.fail(client, at: uptime()) })
    case .tokenMade(let token, let account, let maker):
      tell("a token was made", account, token, by: maker)
    case .tokenRevoked(let token, let account, let asker):
      tell("a token was revoked", account, token, by: asker)
    case .accountRemoved(let account): tell("an account was removed", account)
    case .sessionBegun(let account, let token): tell("a session began", account, by: token)
    case .minutePassed:
      tell(signIns.withLock { $0.due(at: uptime()) })
      tell(disk.withLock { $0.due(at: uptime()) })
    case .turnedAway(let connections):
      logger.warning(
        "connections were turned away, as there were as many as there may be",
        metadata: ["connections": .stringConvertible(connections)])
    case .measuring(let listener):
      logger.info("metrics", metadata: ["listener": "\(listener)/metrics"])
    case .draining: logger.info("stopping: what has begun is finished first")
    case .stopped: logger.info("stopped")
    }
  }

  private func log(_ event: StoreEvent) {
    switch event {
    case .writer(.committed(let requests, let edits)):
      logger.debug(
        "committed",
        metadata: ["requests": .stringConvertible(requests), "edits": .stringConvertible(edits)])
    case .writer(.commitFailed), .writer(.overtaken):
      break  // The store tells why; the others are counted.
    case .unrecorded(let requests, .full(let reason)):
      tell(disk.withLock { $0.refuse(requests, at: uptime()) }, reason)
    case .failed(.full(let reason)):
      tell(disk.withLock { $0.refuse(1, at: uptime()) }, reason)
    case .unrecorded(let requests, .unknown(let reason)):
      tell("a commit's answer was lost; its edits are decided again", reason, requests)
    case .unrecorded(let requests, let error):
      tell("a commit failed; nothing of it is recorded", "\(error)", requests)
    case .failed(let error) where error.passes:
      tell("the store failed", "\(error)")
    case .failed(let error):
      logger.error("the store failed", metadata: ["error": "\(error)"])
    case .probed:
      tell(disk.withLock { $0.write() })
    case .persisted(let edits, let duration):
      tell(disk.withLock { $0.write() })
      logger.trace(
        "persisted",
        metadata: ["edits": .stringConvertible(edits), "milliseconds": duration.milliseconds])
    case .risk(let sentence):
      logger.warning("\(sentence)")
    case .reopened:
      logger.notice("the database was closed and opened again")
    }
  }
}

extension HappeningLog {
  /// deploy/fail2ban/filter.d/goals.conf reads these lines, in both formats.
  private func tell(_ lines: [FailedSignIns.Line]) {
    for line in lines {
      switch line {
      case .failed(let client):
        logger.notice("a sign-in failed", metadata: ["client": "\(client)"])
      case .leftOut(let count):
        logger.notice(
          "more sign-ins failed than are told one by one",
          metadata: ["signIns": .stringConvertible(count)])
      }
    }
  }

  /// Who may come in, and by which token that was changed.
  private func tell(
    _ line: String, _ account: Account.ID, _ token: TokenRecord.ID? = nil,
    by asker: TokenRecord.ID? = nil
  ) {
    var metadata: Logger.Metadata = ["account": "\(account)"]
    if let token { metadata["token"] = "\(token)" }
    if let asker { metadata["by"] = "\(asker)" }
    logger.notice("\(line)", metadata: metadata)
  }

  /// What lasts as long as the database is away, or the disk fails.
  private func tell(_ line: String, _ error: String, _ requests: Int? = nil) {
    let leftOut = failures.withLock { $0.add("\(line): \(error)", at: uptime()) }
    guard let leftOut else { return }
    var metadata: Logger.Metadata = ["error": "\(error)"]
    if let requests { metadata["requests"] = .stringConvertible(requests) }
    if leftOut > 0 { metadata["leftOut"] = .stringConvertible(leftOut) }
    logger.error("\(line)", metadata: metadata)
  }

  private func tell(_ line: FullDisk.Line?, _ reason: String? = nil) {
    var metadata: Logger.Metadata = [:]
    if let reason { metadata["error"] = "\(reason)" }
    switch line {
    case .begins(let refused):
      metadata["refused"] = .stringConvertible(refused)
      logger.error(
        "the disk is full; nothing more is recorded until there is room", metadata: metadata)
    case .lasts(let refused):
      metadata["refused"] = .stringConvertible(refused)
      logger.error("the disk is still full", metadata: metadata)
    case .ends(let refused):
      metadata["refused"] = .stringConvertible(refused)
      logger.notice("the disk has room again", metadata: metadata)
    case nil: break
    }
  }

  /// What is refused for a full disk, or while the database is away, is told in the lines of that.
  private func isExpected(_ answered: Happening.Answered) -> Bool {
    answered.status == 503
      && (disk.withLock { $0.isFull } || failures.withLock { $0.isLasting(at: uptime()) })
  }
}

/// Whether something went wrong for a caller who was let in. Strangers can bring about the
/// protocol's own refusals, and failures where no token is needed: with a line for each they could
/// fill the log. How many connections were turned away is told in another line. A full account
/// would fill the log, too, so it has no line: `account list` and the metrics show it.
private func isWarned(of answered: Happening.Answered) -> Bool {
  answered.wasLetIn && answered.status >= 500
    && answered.status != Status.insufficientStorage.code
}

extension Duration {
  /// To the microsecond.
  fileprivate var milliseconds: Logger.MetadataValue {
    .stringConvertible((self / .microseconds(1)).rounded() / 1000)
  }
}
