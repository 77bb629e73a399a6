import GoalsCore
import GoalsStore
import TestSupport

extension ID {
  /// In tests a small number is an id.
  static func number(_ number: UInt64) -> ID { ID(high: 0, low: number) }
}

extension Goal {
  /// A goal of which only what matters is said.
  static func some(_ number: UInt64, _ title: String = "Goal") -> Goal {
    Goal(id: .number(number), title: .of(title))
  }
}

extension Edit {
  /// Puts goal 1 in the list.
  static let addGoal = Edit(.add(.some(1)))
  static let activate = Edit(.setActivity(.keyed([.number(1): true])))
  /// Counts one for goal 1.
  static let bump = Edit(.bump(.number(1), by: .one, note: nil))
  /// Is rejected: there never is a goal 999.
  static let bad = Edit(.delete(.number(999)))
}

extension Batch {
  /// A batch of these edits, with ids that count up from `first`.
  static func of(
    _ edits: Edit..., from first: UInt64, isAtomic: Bool = false,
    precondition: Precondition? = nil, isDryRun: Bool = false
  ) -> Batch {
    of(all: edits, from: first, isAtomic: isAtomic, precondition: precondition, isDryRun: isDryRun)
  }

  static func of(
    all edits: [Edit], from first: UInt64, isAtomic: Bool = false,
    precondition: Precondition? = nil, isDryRun: Bool = false
  ) -> Batch {
    let proposals = edits.enumerated().map { place, edit in
      Proposal.edit(ProposedEdit(id: .number(first + UInt64(place)), edit: edit))
    }
    return Batch(
      device: "phone", proposals: proposals, isAtomic: isAtomic, precondition: precondition,
      isDryRun: isDryRun)
  }
}

extension AccountRecord {
  static func some(
    _ number: UInt64, name: String = "Someone", calendar: CalendarSettings = .initial,
    createdAt: Instant = .at("2026-11-01T00:00:00Z")
  ) -> AccountRecord {
    AccountRecord(
      id: .number(number), name: name, createdAt: createdAt, initialCalendar: calendar)
  }
}

extension TokenRecord {
  /// A token whose secret is 32 times a byte.
  static func some(
    _ number: UInt64, of account: UInt64, secret: UInt8, scope: Scope = .write,
    goal: Goal.ID? = nil, createdAt: Instant = .at("2026-11-01T00:00:00Z"),
    lastUsedAt: Instant? = nil, expiresAt: Instant? = nil, madeBy: TokenRecord.ID? = nil
  ) -> TokenRecord {
    TokenRecord(
      id: .number(number), account: .number(account), name: "phone", scope: scope, goal: goal,
      secret: [UInt8](repeating: secret, count: 32), createdAt: createdAt, lastUsedAt: lastUsedAt,
      expiresAt: expiresAt, madeBy: madeBy)
  }
}

extension LinkRecord {
  /// A link whose secret is 32 times a byte.
  static func some(
    _ secret: UInt8, of account: UInt64, scope: TokenRecord.Scope = .write, goal: Goal.ID? = nil,
    tokenExpiresAt: Instant? = nil, madeBy: TokenRecord.ID? = nil,
    endsAt: Instant = .at("2026-11-20T12:15:00Z")
  ) -> LinkRecord {
    LinkRecord(
      secret: [UInt8](repeating: secret, count: 32), account: .number(account), name: "tablet",
      scope: scope, goal: goal, tokenExpiresAt: tokenExpiresAt, madeBy: madeBy, endsAt: endsAt)
  }
}
