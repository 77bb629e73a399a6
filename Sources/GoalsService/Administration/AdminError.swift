import GoalsCore
import GoalsStore

/// Why a command was not carried out, in one line.
package struct AdminError: Error, Hashable, Sendable {
  package let sentence: String

  /// What an operator wrote may be quoted in it: its line ends become spaces.
  package init(_ sentence: String) {
    self.sentence = sentence.split(whereSeparator: \.isNewline).joined(separator: " ")
  }

  /// What any error is in an operator's words.
  ///
  /// - Parameter reference: what the operator calls the account or the token that may not be there.
  init(_ error: any Error, _ reference: String = "") {
    self = error as? AdminError ?? AdminError(error as? Failure ?? .unforeseen, reference)
  }

  /// The one table from failures to an operator's words.
  init(_ failure: Failure, _ reference: String) {
    switch failure {
    case .unknownAccount: self.init("There is no account \(reference).")
    case .ambiguous(let kind, let ids):
      self.init("\(ids.count) \(kind) are called \(reference): use an id, \(either(of: ids)).")
    case .nameTaken(let name): self.init("There is an account \(name.text) already.")
    case .unknownGoal: self.init("The account has no goal \(reference).")
    case .unknownToken: self.init("There is no token \(reference).")
    case .unknownTokenGoal(let goal): self.init("The account has no goal \(goal).")
    case .tooManyTokens: self.init("The account has as many tokens as it may have.")
    case .tooManyLinks:
      self.init("The account has as many links as it may have. They end by themselves.")
    case .noExport(let fault):
      self.init(fault.sentence)
    case .accountFull: self.init("The export takes more than an account's log may.")
    case .accountNotEmpty:
      self.init(
        "Something is recorded in account \(reference) already: an import needs one without edits.")
    case .noCalendar: self.init("A time zone that is needed can't be read at the moment.")
    case .store(.unknown(let text)):
      self.init(
        """
        \(StoreError.unknown(text)). Look before you repeat it, and see whether a standby confirms \
        commits there.
        """)
    case .store(let error): self.init(error.description)
    case .noBackup(let reason): self.init(reason)
    case .wrongCredential, .insufficientScope, .invalid, .unknownTimeZone, .unknownEdit,
      .unknownZone, .window, .tooManyBumps, .unknownVersion,
      .cursorDiverged, .tooManyAtOnce, .abandoned, .tooManyAccounts, .unavailable,
      .unforeseen:
      self.init("The server can't do it at the moment.")
    }
  }
}

/// The first ten of some ids: "A, B or C".
private func either(of ids: [String]) -> String {
  let shown = ids.prefix(10)
  return [shown.dropLast().joined(separator: ", "), shown.last ?? ""].joined(separator: " or ")
}
