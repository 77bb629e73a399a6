import GoalsCore
import GoalsReplica

/// The replica of this device, and what it has just decided.
struct Device: Sendable {
  enum Happening: Sendable {
    /// The folder was read, for the first time or because another process has written. A process
    /// that is signed in and leads goes on in the same step: nobody sees it signed out between.
    /// Nor do the edits in the inbox go and come again.
    case opened(
      DeviceFolder.Found, inbox: [DeviceFolder.Left], clockOffset: Int64, isSignedIn: Bool)
    case event(Replica.Event.Kind)
    /// Changes that other processes left in the inbox: what they have of edits is made here.
    case adopted([DeviceFolder.Left])

    /// An edit that is made now.
    init(_ edit: Edit, in world: ClientWorld) {
      self = .event(.edited([ProposedEdit(id: world.makeID(), edit: edit)]))
    }
  }

  private(set) var replica = Replica()
  /// What the last happening has led to.
  private(set) var decisions: [Replica.Decision] = []
  /// The changes that were adopted in it.
  private(set) var adopted: [DeviceFolder.Left] = []

  mutating func take(
    _ happening: Happening, in world: ClientWorld, knowing folder: DeviceFolder
  ) {
    decisions = []
    adopted = []
    switch happening {
    case .opened(let found, let inbox, let clockOffset, let isSignedIn):
      replica = Replica()
      decide(
        .loaded(found.kept, showing: found.earlier, clockOffset: clockOffset), in: world,
        knowing: folder)
      adopt(inbox, in: world, knowing: folder)
      if isSignedIn { decide(.signedIn, in: world, knowing: folder) }
    case .event(let kind):
      decide(kind, in: world, knowing: folder)
    case .adopted(let inbox):
      adopt(inbox, in: world, knowing: folder)
    }
  }

  private mutating func adopt(
    _ inbox: [DeviceFolder.Left], in world: ClientWorld, knowing folder: DeviceFolder
  ) {
    adopted = inbox
    for left in inbox {
      decide(.edited(left.delta.own.map(\.proposed)), in: world, knowing: folder)
      decide(.dismissed(left.delta.forgotten.sorted()), in: world, knowing: folder)
    }
    let guesses = folder.guesses(of: world.clockSetting())
    replica.guess(guesses.filter { replica.kept.own[$0.key]?.proposed.at == $0.value }.map(\.key))
  }

  private mutating func decide(
    _ kind: Replica.Event.Kind, in world: ClientWorld, knowing folder: DeviceFolder
  ) {
    let known = folder.lookUp(replica.lookUps(for: kind))
    let event = Replica.Event(kind, at: world.now(), chance: world.chance(), known: known)
    decisions += GoalsReplica.decide(event, &replica)
  }

  /// Whether what a person sees has changed.
  var shows: Bool { decisions.contains { if case .show = $0 { true } else { false } } }

  /// The account's calendar, where its time zone is known.
  var calendar: GoalCalendar? { replica.zones.calendar(replica.shown.calendar) }

  /// The list at an instant of the device's clock; `before` where the calendar is not known yet.
  func goals(at now: Instant, before: Goals? = nil) -> Goals {
    let server = now.adding(milliseconds: replica.clockOffset)
    guard let calendar else {
      return before ?? AccountState().goals(at: server, in: GoalCalendar())
    }
    return replica.shown.goals(at: server, in: calendar)
  }
}

extension GoalsClient {
  /// How the device stands to the server.
  public struct Status: Hashable, Sendable {
    /// What is under way, waited for, or stopped.
    public let standing: Replica.Standing
    /// The edits that the server's log has not brought yet, in the order in which they were made.
    public let queue: [OwnEdit]
    /// The edits that the server did not record, until they are dismissed.
    public let rejected: [OwnEdit]
    /// Whether the log is being read from its start, so that the list is older than the log.
    public let isCatchingUp: Bool
    /// Whose the folder is; nil before the first sign-in.
    public let account: Account.ID?
    /// Whether this client is the one that speaks with the server.
    public let leads: Bool

    /// The path of a file that was damaged, as it was found; nil where none was, or where the
    /// person has seen it (`dismissDamage`). What could be read of it is used, and the log is read
    /// anew. Edits of this device that could not be read are in that file alone.
    public let damagedFile: String?

    init(of replica: Replica, leads: Bool, damagedFile: String?) {
      standing = replica.standing
      queue = replica.queue
      rejected = replica.rejected
      isCatchingUp = replica.isCatchingUp
      account = replica.kept.identity?.account
      self.leads = leads
      self.damagedFile = damagedFile
    }

    /// The edits that the server has not acknowledged yet.
    public var unsent: [OwnEdit] { queue.filter { $0.standing == .due } }
  }
}
