import GoalsCore
import GoalsService
import GoalsStore
import Logging

/// Writes what happened to the log.
struct HappeningLog: Sendable {
  let logger: Logger

  func log(_ happening: Happening) {
    switch happening {
    case .store(.writer(.committed(let requests, let edits))):
      logger.debug("committed", metadata: ["requests": "\(requests)", "edits": "\(edits)"])
    case .recorded(let account, let edits, let version):
      logger.debug(
        "recorded",
        metadata: ["account": "\(account)", "edits": "\(edits)", "version": "\(version)"])
    case .store(.writer(.commitFailed(let failure, let requests))):
      logger.error(
        "a commit failed; nothing of it is recorded",
        metadata: ["failure": "\(failure)", "requests": "\(requests)"])
    case .store(.failed(let error)):
      logger.error("the store failed", metadata: ["error": "\(error)"])
    case .store(.persisted(let edits, let duration)):
      logger.trace(
        "persisted", metadata: ["edits": "\(edits)", "milliseconds": "\(duration.milliseconds)"])
    case .store(.reopened):
      logger.notice("the database was closed and opened again")
    case .imported(let account, let version):
      logger.info("imported", metadata: ["account": "\(account)", "version": "\(version)"])
    case .failed(let requestID, let operation):
      logger.error(
        "a request failed", metadata: ["request": "\(requestID)", "operation": "\(operation)"])
    case .started(let listeners):
      logger.info("started", metadata: ["listeners": "\(listeners.joined(separator: ", "))"])
    case .answered(let answered):
      logger.log(
        level: answered.status >= 500 ? .warning : .debug, "answered",
        metadata: [
          "request": "\(answered.requestID)", "operation": "\(answered.operation ?? "-")",
          "status": "\(answered.status)", "milliseconds": "\(answered.duration.milliseconds)",
        ])
    case .measuring(let listener):
      logger.info("metrics", metadata: ["listener": "\(listener)/metrics"])
    case .draining:
      logger.info("stopping: what has begun is finished first")
    case .stopped:
      logger.info("stopped")
    }
  }
}

extension Duration {
  /// With three digits after the point.
  fileprivate var milliseconds: String {
    let microseconds = self / .microseconds(1)
    let thousandths = String(Int(microseconds) % 1000)
    let zeros = String(repeating: "0", count: 3 - thousandths.count)
    return "\(Int(microseconds) / 1000).\(zeros)\(thousandths)"
  }
}
