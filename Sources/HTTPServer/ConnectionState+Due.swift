import HTTP

extension ConnectionState {
  /// An action that was decided on and not asked for yet: all but those that hold a request, for which
  /// every open connection would have to have room.
  enum Due: Sendable {
    case refuse(Refusal)
    case send([UInt8], [UInt8])
    case shutDown
    case close

    var action: Action {
      switch self {
      case .refuse(let refusal): .refuse(refusal)
      case .send(let first, let rest): .send(first, rest)
      case .shutDown: .shutDown
      case .close: .close
      }
    }
  }
}
