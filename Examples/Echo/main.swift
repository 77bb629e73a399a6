// The smallest server on the HTTP targets: `http-echo 127.0.0.1:8080`.

import Dispatch
import Glibc
import HTTP
import HTTPServer

let offered = Method.allCases.filter(\.isOffered)

func answer(_ request: Request) -> Response {
  switch (request.method, request.segments) {
  case (.get, []), (.head, []): return Response(.ok, text: "OK\n")
  case (.get, ["echo"]), (.head, ["echo"]):
    let lines = request.fields.all.map { "\($0.name): \($0.value)\n" }
    return Response(.ok, text: lines.joined())
  case (.get, _), (.head, _): return problem(.notFound, "not-found", "There is nothing here.")
  case (.options, _):
    var response = Response(.ok, body: request.body)
    response.fields[.allow] = Method.allow(offered)
    return response
  case (.post, _), (.put, _), (.patch, _), (.delete, _):
    var response = Response(.ok, body: request.body)
    response.fields[.contentType] = request.fields[.contentType]
    return response
  case (.trace, _), (.query, _):
    var response = problem(.methodNotAllowed, "method-not-allowed", "This can't be done here.")
    response.fields[.allow] = Method.allow(offered)
    return response
  }
}

/// RFC 9457. None of these texts needs escaping.
func problem(_ status: Status, _ code: String, _ detail: String) -> Response {
  let json = """
    {"type":"/problems/\(code)","title":"\(status.reason)","status":\(status.code),\
    "detail":"\(detail)","code":"\(code)"}
    """
  return Response(status, text: json, type: "application/problem+json")
}

func say(_ line: String, to descriptor: Int32) {
  let bytes = Array("\(line)\n".utf8)
  _ = write(descriptor, bytes, bytes.count)
}

func fail(_ message: String, _ code: Int32) -> Never {
  say("http-echo: \(message)", to: STDERR_FILENO)
  exit(code)
}

let arguments = CommandLine.arguments
guard arguments.count == 2, let address = ListenAddress(arguments[1]) else {
  fail("usage: http-echo HOST:PORT", 64)
}

let limits = Limits()
let server = try Server(
  limits: limits,
  handler: Handler(
    admit: { _, _ in
      .accept(bodyLimit: limits.message.body) { request, responder in
        responder.send(answer(request))
      }
    },
    refusal: { refusal, _ in problem(refusal.status, refusal.code, refusal.detail) }))

do {
  let bound = try server.listen(on: address)
  server.start()
  say("Listening on \(bound.url)", to: STDOUT_FILENO)
} catch {
  fail("\(error)", 1)
}

var sources: [any DispatchSourceSignal] = []
for name in [SIGTERM, SIGINT] {
  signal(name, SIG_IGN)
  let source = DispatchSource.makeSignalSource(signal: name, queue: .main)
  source.setEventHandler { server.drain(within: .seconds(10)) { exit(0) } }
  source.activate()
  sources.append(source)
}
dispatchMain()
