import GoalsStore
import HTTP
import HTTPServer

/// The way in for a collector of metrics: `GET /metrics`, on a listener of its own, without a
/// token.
struct MetricsListener {
  let metrics: Metrics
  let domain: Domain
  let gauges: @Sendable () -> StoreGauges
  /// The statistics of the server that clients use.
  let statistics: @Sendable () -> Statistics
  /// How long nothing was heard of other servers; nil where there are none.
  let silence: @Sendable () -> Duration?

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
    let completion = { @Sendable (result: Result<Void, Failure>) in
      var gauges = Metrics.Gauges()
      gauges.server = statistics()
      gauges.store = self.gauges()
      gauges.silence = silence()
      gauges.isReady = (try? result.get()) != nil
      var response = Response(.ok, text: metrics.text(gauges), type: Exposition.mediaType)
      response.fields.append(.noStore)
      response.fields.append(.nosniff)
      responder.send(response)
    }
    domain(.health(.readiness(completion)))
  }
}
