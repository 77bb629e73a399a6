import GoalsCore
import GoalsStore
import GoalsWire

/// What an operator would have otherwise in an account.
struct AskedSettings: Sendable {
  let name: Title?
  let calendar: CalendarSettings.Changes

  static func read(
    _ change: AdminCommand.AccountChange, in world: World
  ) throws(AdminError) -> AskedSettings {
    let words = [
      ("name", change.name), ("timeZone", change.timeZone), ("weekStart", change.weekStart),
      ("dayStart", change.dayStart),
    ]
    var object = ObjectReader(try Administration.object(words).root)
    let name = object.optional("name", .label)
    let refusal = object.refusalOfZone(in: world)
    let calendar = CalendarSettings.Changes.readPatch(from: &object, defaults: nil)
    if let refusal { object.add(refusal, at: "timeZone") }
    let faults = object.finish()
    guard faults.isEmpty, case .success(let calendar)? = calendar else {
      return try Administration.valid(.invalid(faults))
    }
    return AskedSettings(name: name, calendar: calendar)
  }
}

extension Administration {
  /// The device that the log names for what an operator set.
  private static let device = "goals account set"

  /// Changes an account's name, then its calendar by a `configure`, and tells how both read then.
  func set(
    _ asked: AskedSettings, of account: AccountRecord,
    _ completion: @escaping Completion<AdminReply>
  ) {
    let read = { @Sendable in
      let told = telling(completion, account.name) { AdminReply.account(.init($0)) }
      domain(.account(.read(account.id, at: nil, for: .patient, told)))
    }
    let configured = found(account.name, completion) {
      (configured: ConfiguredAccount) throws(AdminError) in
      let ruling = configured.batch.ruling
      if let rejection = ruling.outcomes.first?.rejection { throw AdminError(rejection.detail) }
      guard ruling.result == .decided else {
        throw AdminError("The account's log is full: only its name can be set.")
      }
      read()
    }
    let configure = { @Sendable in
      if asked.calendar == .init() { return read() }
      let edit = ProposedEdit(id: world.makeID(), edit: Edit(.configure(asked.calendar)))
      let batch = Batch(device: Self.device, proposals: [.edit(edit)], shows: .state)
      let sent = Store.SentBatch(account: account.id, batch: batch)
      let patch = AccountPatch(account: account.id, sent: .valid(sent))
      domain(.account(.configure(patch, configured)))
    }
    guard let name = asked.name else { return configure() }
    let renamed = found(account.name, completion) { (_: Void) in configure() }
    domain(.account(.rename(account.id, name, renamed)))
  }

  func remove(_ account: AccountRecord, _ completion: @escaping Completion<AdminReply>) {
    let removed = telling(completion, account.name) { (_: Void) in
      AdminReply.removedAccount(.init(account))
    }
    domain(.account(.remove(account.id, removed)))
  }

  func listGoals(of account: AccountRecord, _ completion: @escaping Completion<AdminReply>) {
    let listed = telling(completion, account.name) { AdminReply.goals(.init($0, of: account)) }
    domain(.goals(.list(of: account.id, at: nil, for: .patient, listed)))
  }
}
