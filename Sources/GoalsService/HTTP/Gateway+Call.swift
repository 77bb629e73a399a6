import GoalsCore
import HTTP
import HTTPServer

/// An operation that a request asks for, and who asks.
final class Call: Sendable {
  let operation: Operation
  let traits: Operation.Traits
  let parameters: Parameters
  /// Nil where that does not matter.
  let caller: Caller?
  /// The gatekeeper's before the caller was found.
  let turn: Int

  init(
    _ operation: Operation, _ traits: Operation.Traits, _ parameters: Parameters,
    by caller: Caller?, _ turn: Int
  ) {
    self.operation = operation
    self.traits = traits
    self.parameters = parameters
    self.caller = caller
    self.turn = turn
  }
}

extension Gateway {
  /// Finds the operation and the caller, and checks everything that the head alone decides.
  func resolve(
    _ head: RequestHead, _ match: Router<Operation>.Match, from visitor: Visitor
  ) throws(Problem) -> Call {
    switch match {
    case .notFound: throw .notFound
    case .options(let allowed), .methodNotAllowed(let allowed): throw .methodNotAllowed(allowed)
    case .found(let operation, let parameters):
      let traits = operation.traits
      let turn = gatekeeper.turn
      let caller = try gatekeeper.caller(of: head, from: visitor, for: traits.audience)
      if let caller { try check(caller, may: operation, traits, parameters) }
      // A part is not taken for the whole (RFC 9110 §14.5).
      if head.method == .put, head.fields.contains("Content-Range") { throw .contentRange }
      if head.framing != .none { try checkMediaType(head, of: traits.body) }
      return Call(operation, traits, parameters, by: caller, turn)
    }
  }

  private func check(
    _ caller: Caller, may operation: Operation, _ traits: Operation.Traits,
    _ parameters: Parameters
  ) throws(Problem) {
    switch caller.token.scope {
    case .write: return
    case .read:
      guard traits.audience == .readers else { throw .forbidden }
    case .bump:
      guard operation == .bumpGoal, let goal = caller.token.goal,
        parameters["id"].flatMap({ Goal.ID($0) }) == goal
      else { throw .forbidden }
    }
  }

  private func checkMediaType(
    _ head: RequestHead, of body: Operation.Body
  ) throws(Problem) {
    guard body != .none else { return }
    guard let type = head.fields.only(.contentType), body.accepts(type) else {
      throw .unsupportedMediaType(body.mediaTypes)
    }
    // A compressed body is none of these either (RFC 9110 §8.4).
    let codings = head.fields.list(.contentEncoding)
    guard codings.allSatisfy({ $0.lowercased() == "identity" }) else {
      throw .unsupportedContentEncoding
    }
  }
}
