import Crypto
import Foundation
import Hummingbird

/// Reads the bearer token. Whose it is the handler finds out, in the transaction that it needs
/// anyway.
struct BearerToken: RouterMiddleware {
  func handle(
    _ request: Request, context: PeerContext,
    next: (Request, PeerContext) async throws -> Response
  ) async throws -> Response {
    guard let credentials = request.headers[.authorization], credentials.hasPrefix("Bearer ")
    else { throw HTTPError.unauthenticated }
    var context = context
    context.secret = Data(SHA256.hash(data: Data(credentials.dropFirst(7).utf8)))
    return try await next(request, context)
  }
}

extension HTTPError {
  static var unauthenticated: HTTPError {
    HTTPError(.unauthorized, headers: [.wwwAuthenticate: "Bearer"])
  }
}
