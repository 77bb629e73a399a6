import GoalsCore
import HTTPTestSupport
import HTTPServer
import Testing
import TestSupport

@testable import GoalsService

@Suite("The admin socket") struct AdminSocketTests {
  /// Commands come in, over a Unix socket, to the administration of a service.
  private final class Socket {
    let service: TestService
    let address: ListenAddress
    private let folder: TemporaryFolder
    private let server: Server

    init() throws {
      service = try TestService()
      folder = try TemporaryFolder()
      server = try Server(
        handler: AdminSocket(administration: service.administration).handler)
      address = try server.listen(on: .unix(path: folder.file("a.sock")), mode: 0o600)
      server.start()
    }

    deinit { server.drain(within: .zero) {} }
  }

  @Test("takes commands as JSON, and answers with what came of them")
  func commands() throws {
    let socket = try Socket()
    let listed = try Client.ask("POST /\n\n{\"listAccounts\":{}}", at: socket.address)
    #expect(listed.status == 200)
    let id = socket.service.me.id
    for part in ["{\"accounts\":{\"_0\":[{", "\"id\":\"\(id)\"", "\"name\":\"me\""] {
      #expect(listed.body.contains(part))
    }
    let failed = try Client.ask(
      "POST /\n\n{\"removeAccount\":{\"_0\":\"you\"}}", at: socket.address)
    #expect(failed.status == 200)
    #expect(failed.body == "{\"failed\":{\"_0\":\"There is no account you.\"}}")
    let verified = try Client.ask("POST /\n\n{\"verify\":{}}", at: socket.address)
    #expect(verified.body.contains("\"faults\":[]"))
  }

  @Test("revokes a token at once")
  func revokes() async throws {
    let socket = try Socket()
    let (id, token) = try socket.service.token("read")
    #expect(try await socket.service.ask("GET /v1/goals", as: token).status == 200)
    let revoked = try Client.ask(
      "POST /\n\n{\"revokeToken\":{\"_0\":\"\(id)\"}}", at: socket.address)
    for part in ["{\"revokedToken\":{", "\"id\":\"\(id)\"", "\"name\":\"read\""] {
      #expect(revoked.body.contains(part))
    }
    #expect(try await socket.service.ask("GET /v1/goals", as: token).status == 401)
  }

  private static let others: [(String, Int)] = [
    ("GET /", 404), ("POST /v1/goals\n\n{}", 404), ("POST /", 422), ("POST /\n\n{", 422),
    ("POST /\n\n{}", 422), ("POST /\n\n{\"dropTables\":{}}", 422), ("POST /\n\n7", 422),
    ("POST /\n\n{\"addAccount\":{}}", 422),
    ("POST /\n\n\(String(repeating: "[", count: 60_000))", 422),
    ("POST /\n\n\(String(repeating: " ", count: 65_537))", 413),
  ]

  @Test("refuses what is no command", arguments: others)
  func refuses(_ request: String, _ status: Int) throws {
    let socket = try Socket()
    #expect(try Client.ask(request, at: socket.address).status == status)
  }
}
