import Dispatch
import GoalsStore
import HTTP
import HTTPServer
import Synchronization

/// The way in for a collector of metrics: `GET /metrics`, on a listener of its own, without a
/// token. What the database does not tell soon is left out.
struct MetricsListener {
  let metrics: Metrics
  let domain: Domain
  let gauges: @Sendable () -> StoreGauges
  /// The statistics of the server that clients use.
  let statistics: @Sendable () -> Statistics
  /// How long nothing was heard of other servers; nil where there are none.
  let silence: @Sendable () -> Duration?
  /// That of the program.
  let version: String
  let uptime: @Sendable () -> Duration
  private let queue = DispatchQueue(label: "GoalsService.metrics")

  var handler: Handler {
    Handler(
      admit: { _, _ in
        .accept(bodyLimit: 0) { request, responder in respond(to: request.head, by: responder) }
      },
      refusal: { refusal, _ in Problem(refusal).response })
  }

  private func respond(to head: RequestHead, by responder: Responder) {
    guard head.segments == ["metrics"] else { return responder.send(Problem.notFound.response) }
    guard head.method == .get || head.method == .head else {
      return responder.send(Problem.methodNotAllowed([.get, .head]).response)
    }
    let asked = Asked()
    asked.group.enter()
    asked.group.enter()
    domain(
      .health(
        .readiness { result in
          asked.gauges.withLock { $0.isReady = (try? result.get()) != nil }
          asked.group.leave()
        }))
    domain(
      .health(
        .accounts { result in
          asked.gauges.withLock { $0.accounts = try? result.get() }
          asked.group.leave()
        }))
    asked.group.notify(queue: queue) {
      var gauges = asked.gauges.withLock { $0 }
      gauges.server = statistics()
      gauges.store = self.gauges()
      gauges.silence = silence()
      gauges.version = version
      gauges.residentBytes = residentMemory()
      gauges.backupAge = metrics.backedUpAt.map { uptime() - $0 }
      var response = Response(.ok, text: metrics.text(gauges), type: Exposition.mediaType)
      response.fields.append(.noStore)
      response.fields.append(.nosniff)
      responder.send(response)
    }
  }

  /// What is asked of the database at once.
  private final class Asked: Sendable {
    let gauges = Mutex(Metrics.Gauges())
    let group = DispatchGroup()
  }
}
