import FoundationEssentials
import HTTP
import HTTPServer

/// The way in for commands beside a running server: HTTP on a Unix socket that only the database's
/// owner may use, `POST /` with the command as JSON.
struct AdminSocket {
  /// Commands are short.
  private static let bodyLimit = 65_536

  let administration: Administration
  let queues: Queues

  var handler: Handler {
    Handler(
      admit: { head, _ in
        head.method == .post && head.segments.isEmpty
          ? .accept(bodyLimit: Self.bodyLimit) : .refuse(Problem.notFound.response)
      },
      respond: { request, responder in
        queues.administration.async {
          responder.send(respond(to: request))
        }
      },
      refusal: { Problem($0).response })
  }

  private func respond(to request: Request) -> Response {
    guard
      let command = try? JSONDecoder().decode(AdminCommand.self, from: Data(request.body)),
      let reply = try? JSONEncoder().encode(administration.perform(command))
    else { return Problem.invalid("", "this is no command").response }
    return Response(.ok, json: Array(reply))
  }
}
