import FoundationEssentials
import HTTP
import HTTPServer

/// The way in for commands beside a running server: HTTP on a Unix socket that only the database's
/// owner may use, `POST /` with the command as JSON.
struct AdminSocket {
  /// Commands are short.
  private static let bodyLimit = 65_536

  let administration: Administration

  var handler: Handler {
    Handler(
      admit: { head, _ in
        head.method == .post && head.segments.isEmpty
          ? .accept(bodyLimit: Self.bodyLimit, respond) : .refuse(Problem.notFound.response)
      },
      refusal: { refusal, _ in Problem(refusal).response })
  }

  @Sendable private func respond(to request: Request, by responder: Responder) {
    guard let command = try? JSONDecoder().decode(AdminCommand.self, from: Data(request.body))
    else { return responder.send(Problem.invalid("", "this is no command").response) }
    let reply = { @Sendable (reply: AdminReply) in responder.send(response(to: reply)) }
    guard case .export(let account) = command else {
      return administration.perform(command, reply)
    }
    // An export is as long as the log: it is sent piece by piece.
    administration.export(of: account) { result in
      switch result {
      case .success(let archive):
        archive.send(
          over: responder.stream(Response(.ok, fields: [.contentType: "application/x-ndjson"])))
      case .failure(let error): reply(.failed(error.sentence))
      }
    }
  }

  private func response(to reply: AdminReply) -> Response {
    guard let reply = try? JSONEncoder().encode(reply) else {
      return Problem.invalid("", "this is no command").response
    }
    return Response(.ok, json: Array(reply))
  }
}
