import GoalsCore
import GoalsService
import GoalsStore
import HTTP
import Logging

/// Writes what happened to the log.
struct HappeningLog: Sendable {
  let logger: Logger

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
        level: isWarned(of: answered) ? .warning : .debug, "answered",
        metadata: [
          "request": "\(answered.requestID)", "operation": "\(answered.operation ?? "-")",
          "status": .stringConvertible(answered.status),
          "milliseconds": answered.duration.milliseconds,
        ])
    case .turnedAway(let connections):
      logger.warning(
        "connections were turned away, as there were as many as there may be",
        metadata: ["connections": .stringConvertible(connections)])
    case .measuring(let listener):
      logger.info("metrics", metadata: ["listener": "\(listener)/metrics"])
    case .draining:
      logger.info("stopping: what has begun is finished first")
    case .stopped:
      logger.info("stopped")
    }
  }

  private func log(_ event: StoreEvent) {
    switch event {
    case .writer(.committed(let requests, let edits)):
      logger.debug(
        "committed",
        metadata: ["requests": .stringConvertible(requests), "edits": .stringConvertible(edits)])
    case .writer(.commitFailed):
      break  // The store tells why.
    case .unrecorded(let requests, let error):
      logger.error(
        "a commit failed; nothing of it is recorded",
        metadata: ["error": "\(error)", "requests": .stringConvertible(requests)])
    case .failed(let error):
      logger.error("the store failed", metadata: ["error": "\(error)"])
    case .persisted(let edits, let duration):
      logger.trace(
        "persisted",
        metadata: ["edits": .stringConvertible(edits), "milliseconds": duration.milliseconds])
    case .reopened:
      logger.notice("the database was closed and opened again")
    }
  }
}

/// What went wrong for somebody who was let in. What any stranger can bring about, the protocol's
/// own refusals and what needs no token, would let strangers fill the log. So would a full account,
/// which `account list` and the metrics show.
private func isWarned(of answered: Happening.Answered) -> Bool {
  guard answered.status >= 500, answered.status != Status.insufficientStorage.code,
    let operation = answered.operation.flatMap({ Operation(rawValue: $0) })
  else { return false }
  switch operation.endpoint.audience {
  case .anyone, .newcomers: return false
  case .holders, .readers, .readersAndButtons, .writers, .writersAndButtons: return true
  }
}

extension Duration {
  /// To the microsecond.
  fileprivate var milliseconds: Logger.MetadataValue {
    .stringConvertible((self / .microseconds(1)).rounded() / 1000)
  }
}
