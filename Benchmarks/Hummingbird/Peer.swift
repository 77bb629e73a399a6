import Foundation
import Hummingbird

/// The same goals on Hummingbird 2 and GRDB, as someone at home in them would write it:
/// `hummingbird-peer PORT DATABASE`.
@main struct Peer {
  static func main() async throws {
    let arguments = CommandLine.arguments
    guard arguments.count == 3, let port = Int(arguments[1]) else {
      FileHandle.standardError.write(Data("usage: hummingbird-peer PORT DATABASE\n".utf8))
      exit(64)
    }
    let store = try Store(path: arguments[2])
    let durability = try await store.durability()
    FileHandle.standardOutput.write(Data("\(durability)\n".utf8))
    let application = Application(
      router: router(of: store),
      configuration: ApplicationConfiguration(
        address: .hostname("127.0.0.1", port: port), backlog: 4096))
    try await application.runService()
  }
}

/// What is known of a request once its token was read.
struct PeerContext: RequestContext {
  var coreContext: CoreRequestContextStorage
  /// The SHA-256 of the bearer token.
  var secret = Data()

  init(source: Source) { coreContext = CoreRequestContextStorage(source: source) }
}

func router(of store: Store) -> Router<PeerContext> {
  let router = Router(context: PeerContext.self)
  router.add(middleware: BearerToken())
  let stream = Broadcast()

  router.get("v1/goals") { _, context in
    try await store.goals(of: context.secret, at: Date())
  }

  router.post("v1/edits") { request, context in
    let batch = try await request.decode(as: EditBatch.self, context: context)
    guard (1...1000).contains(batch.edits.count) else {
      throw HTTPError(.unprocessableContent, message: "1 to 1000 edits are expected")
    }
    let commit = try await store.record(batch.edits, by: context.secret, at: Date())
    try stream.tell(commit)
    return commit.answer
  }

  router.get("v1/changes") { _, context in
    let account = try await store.account(of: context.secret)
    return Response(
      status: .ok, headers: [.contentType: "text/event-stream", .cacheControl: "no-store"],
      body: ResponseBody(asyncSequence: stream.follow(account)))
  }
  return router
}
