import Foundation
import GoalsClient
import GoalsCore
import GoalsService
import GoalsStore
import HTTPServer
import Synchronization
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A server of the test's own, with a database and a socket, in the real world.
final class RealServer: Sendable {
  private let service: Mutex<Service?>
  let url: URL
  /// A token of its first account, which may write.
  let token: String

  /// - Parameters:
  ///   - port: nil for one that the system picks.
  ///   - token: nil where the database is new: then the code of the first account's link makes it.
  init(in folder: TemporaryFolder, port: UInt16? = nil, token: String? = nil) async throws {
    var configuration = Service.Configuration()
    configuration.database = folder.file("goals.sqlite")
    configuration.listeners = [.internet(host: "127.0.0.1", port: port ?? 0)]
    configuration.timeZone = "UTC"
    let (service, started) = try Service.start(configuration, in: .live(track: { _ in }))
    self.service = Mutex(service)
    let address = try #require(started.listeners.first)
    url = try #require(URL(string: address.url))
    if let token {
      self.token = token
    } else {
      let code = try #require(started.firstAccount?.link?.code)
      self.token = try await Self.token(by: code, at: url)
    }
  }

  private static func token(by code: String, at url: URL) async throws -> String {
    struct Made: Decodable { let token: String }
    var request = URLRequest(url: url.appending(path: "/v1/tokens"))
    request.httpMethod = "POST"
    request.setValue("application/json", forHTTPHeaderField: "Content-Type")
    request.httpBody = Data("{\"code\":\"\(code)\"}".utf8)
    let (data, _) = try await URLSession.shared.data(for: request)
    return try JSONDecoder().decode(Made.self, from: data).token
  }

  func stop() async {
    let service = service.withLock { service in
      defer { service = nil }
      return service
    }
    await withCheckedContinuation { continuation in
      guard let service else { return continuation.resume() }
      service.stop { continuation.resume() }
    }
  }

  /// Starts again with the database of one that was stopped, at its address. The database is free
  /// when the last who held that one has let go of it, a moment after it has stopped.
  static func again(_ stopped: RealServer, in folder: TemporaryFolder) async throws -> RealServer {
    let port = try #require(stopped.url.port)
    while true {
      do {
        return try await RealServer(in: folder, port: UInt16(port), token: stopped.token)
      } catch OpeningError.inUse {
        try await Task.sleep(for: .milliseconds(1))
      }
    }
  }

  /// A client that is signed in, and finds the server at `relay` where one is given.
  func client(
    in folder: TemporaryFolder, through relay: URL? = nil, world: ClientWorld = .live,
    patience: Duration = .seconds(45)
  ) throws -> GoalsClient {
    let client = try GoalsClient(
      in: folder.path, of: relay ?? url, world: world, patience: patience)
    client.signIn(token: token)
    return client
  }

  /// The server's present list, as somebody else reads it.
  func goals() async throws -> [String: Int] {
    var request = URLRequest(url: url.appending(path: "/v1/goals"))
    request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization")
    let (data, _) = try await URLSession.shared.data(for: request)
    let list = try JSONDecoder().decode(Listed.self, from: data)
    return Dictionary(uniqueKeysWithValues: list.goals.map { ($0.title, $0.progress ?? -1) })
  }

  private struct Listed: Decodable {
    struct Goal: Decodable {
      let title: String
      let progress: Int?
    }
    let goals: [Goal]
  }
}
