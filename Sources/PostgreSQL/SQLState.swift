/// The five characters by which a server names an error or a notice
/// (postgresql.org/docs/15/errcodes-appendix.html). The first two are its class.
package struct SQLState: Hashable, Sendable, CustomStringConvertible {
  package let description: String

  /// Nil for anything but five digits and capital letters.
  package init?(_ text: some StringProtocol) {
    guard text.utf8.count == 5,
      text.utf8.allSatisfy({ (0x30...0x39).contains($0) || (0x41...0x5a).contains($0) })
    else { return nil }
    description = String(text)
  }

  private init(known: String) { description = known }

  var isWarning: Bool { self == .warning || self == .adminShutdown }

  package static let warning = SQLState(known: "01000")
  static let protocolViolation = SQLState(known: "08P01")
  package static let transactionResolutionUnknown = SQLState(known: "08007")
  package static let notNullViolation = SQLState(known: "23502")
  package static let uniqueViolation = SQLState(known: "23505")
  package static let readOnlyTransaction = SQLState(known: "25006")
  package static let unknownRole = SQLState(known: "28000")
  package static let unknownDatabase = SQLState(known: "3D000")
  package static let invalidPassword = SQLState(known: "28P01")
  package static let serializationFailure = SQLState(known: "40001")
  package static let statementCompletionUnknown = SQLState(known: "40003")
  package static let deadlockDetected = SQLState(known: "40P01")
  package static let insufficientPrivilege = SQLState(known: "42501")
  package static let duplicateObject = SQLState(known: "42710")
  package static let duplicateTable = SQLState(known: "42P07")
  package static let lockNotAvailable = SQLState(known: "55P03")
  package static let queryCanceled = SQLState(known: "57014")
  package static let adminShutdown = SQLState(known: "57P01")
}

extension PostgreSQLError.Kind {
  /// What an error means that the server reported and after which it goes on serving this
  /// connection.
  init(_ state: SQLState) {
    self =
      switch state {
      case .statementCompletionUnknown, .transactionResolutionUnknown: .unknown
      case .lockNotAvailable, .queryCanceled: .retryable
      case .readOnlyTransaction: .unavailable
      case .insufficientPrivilege: .refused
      // What was sent is no message of the protocol, such as a value of the wrong length.
      case .protocolViolation: .defect
      // NB: open: servers know many more.
      default: Self(classOf: state)
      }
  }

  private init(classOf state: SQLState) {
    self =
      switch state.description.prefix(2) {
      case "40": .retryable
      case "23": .constraint
      // The connection, resources, an operator's doing, the system beneath.
      case "08", "53", "57", "58": .unavailable
      // Who may come in, and a database that is not there.
      case "28", "3D": .refused
      default: .defect
      }
  }
}
