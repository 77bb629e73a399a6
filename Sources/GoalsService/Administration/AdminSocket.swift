import FoundationEssentials
import GoalsStore
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
          ? .accept(bodyLimit: Self.bodyLimit, respond) : .refuse(Problem.notFound.response)
      },
      refusal: { refusal, _ in Problem(refusal).response })
  }

  @Sendable private func respond(to request: Request, by responder: Responder) {
    guard let command = try? JSONDecoder().decode(AdminCommand.self, from: Data(request.body))
    else { return responder.send(Problem.invalid("", "this is no command").response) }
    let queue = command.readsEverything ? queues.upkeep : queues.administration
    queue.async { perform(command, for: responder) }
  }

  private func perform(_ command: AdminCommand, for responder: Responder) {
    if case .export(let account) = command {
      do throws(AdminError) {
        return send(try administration.export(of: account), by: responder)
      } catch {
        return responder.send(response(to: .failed(error.sentence)))
      }
    }
    responder.send(response(to: administration.perform(command)))
  }

  private func response(to reply: AdminReply) -> Response {
    guard let reply = try? JSONEncoder().encode(reply) else {
      return Problem.invalid("", "this is no command").response
    }
    return Response(.ok, json: Array(reply))
  }

  /// An export is as long as the log: it is sent piece by piece.
  private func send(_ reader: ExportReader, by responder: Responder) {
    let stream = responder.stream(Response(.ok, fields: [.contentType: "application/x-ndjson"]))
    Pieces { () throws(StoreError) in try reader.next() }
      .send(
        over: stream, by: { [reads = queues.reads] in reads.async(execute: $0) }, while: { true }
      ) { administration.tell($0) }
  }
}

extension AdminCommand {
  /// Whether answering it takes the longer the more is stored.
  fileprivate var readsEverything: Bool {
    switch self {
    case .verify, .backUp: true
    // An export is sent by another queue, piece by piece.
    case .addAccount, .listAccounts, .removeAccount, .addToken, .listTokens, .revokeToken, .export:
      false
    }
  }
}
