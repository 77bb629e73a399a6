import ChangePropagation
import Foundation
import GoalsCore
import GoalsReplica
import Synchronization

/// One account's goals on this device: they can be read and edited at once, with a server in reach
/// or without, and every edit is sent as soon as one is.
///
///     let client = try GoalsClient(in: folder, of: URL(string: "https://goals.example")!)
///     client.signIn(token: token)
///     client.goals.observe(withContext: view) { view, goals in view.show(goals) }
///     client.progressEdits.announce(.bump(yoga, by: .one, note: nil))
///
/// It is the network of Goals.app around the replica, which decides: edits are announced on inlets,
/// merged, mapped and accumulated, and what a person sees is derived from that. Everything happens
/// on the queue of `network`. Observers are called there, too.
///
/// Several clients may use one folder, in one process or in several. One of them speaks with the
/// server; the others see what it has read, and hand it their edits.
public final class GoalsClient: Sendable {
  /// The home of all that is announced and observed here.
  public let network: ChangeNetwork
  /// Changes of the list are announced here.
  public let goalEdits: Inlet<GoalEdit>
  /// Changes of progress are announced here. They count on the day on which they are announced.
  public let progressEdits: Inlet<ProgressEdit>
  /// Steps of a person who turns goals on and off are announced here.
  public let steps: Inlet<GoalsEditState.Step>

  /// The list as a person sees it: with the edits that the server does not know yet.
  public let goals: Changing<Goals>
  /// How the device stands to the server, and what waits.
  public let status: Changing<Status>
  /// Whether a person reads the list or turns its goals on and off.
  public let screen: Changing<GoalsEditState>
  /// What a person should know: rejections, a token that is not valid, a restored server.
  public let notices: Outlet<Replica.Notice>

  /// Where the client has the time and ids from; `world.makeID()` is an id for a new goal.
  public let world: ClientWorld
  let folder: DeviceFolder
  let link: ServerLink
  let alarm: Alarm
  let device: Changing<Device>
  let happenings: Changes<Device.Happening>
  let told: Changes<Replica.Notice>
  let shell = Mutex(Shell())

  /// Opens the folder, and shows what it has. Nothing is sent before `signIn`.
  ///
  /// - Parameters:
  ///   - folder: the path of a folder for this account alone; it is made where there is none.
  ///   - server: the server's address, such as `https://goals.example`.
  ///   - patience: how long no byte may come before a connection counts as broken. What is no
  ///     stream has to come to its end in four times as long.
  /// - Throws: where the folder can't be made or read.
  public init(
    in folder: String, of server: URL, world: ClientWorld = .live, patience: Duration = .seconds(45)
  ) throws(FileError) {
    let files = try DeviceFolder(folder)
    let network = ChangeNetwork()
    self.network = network
    self.world = world
    self.folder = files
    link = ServerLink(to: server, patience: patience, world: world)
    alarm = Alarm(on: network.queue, of: world)

    let goalEdits = Changes<GoalEdit>(on: network)
    let progressEdits = Changes<ProgressEdit>(on: network)
    let happenings = Changes<Device.Happening>(on: network)
    let edits = goalEdits.merge(progressEdits).map(Edit.init)
    let device = edits.map { Device.Happening($0, in: world) }.merge(happenings)
      .accumulate(into: Device()) { $0.take($1, in: world, knowing: files) }
    goals = device.outlet.filter(\.shows)
      .accumulate(startingFrom: device.current.goals(at: world.now())) { device, before in
        device.goals(at: world.now(), before: before)
      }
    status = device.map {
      Status(of: $0.replica, leads: files.leads, damagedFile: files.untoldDamage)
    }

    let steps = Changes<GoalsEditState.Step>(on: network)
    let told = Changes<Replica.Notice>(on: network)
    let screen = steps.accumulate(startingFrom: Screen()) { [goals] in
      $1.after($0, in: goals.current)
    }
    self.screen = screen.map(\.state)
    self.goalEdits = goalEdits.inlet
    self.progressEdits = progressEdits.inlet
    self.steps = steps.inlet
    self.device = device
    self.happenings = happenings
    self.told = told
    notices = told.outlet

    screen.outlet.observe(withContext: self) { client, screen in
      if let edit = screen.edit { client.goalEdits.announce(edit) }
    }
    device.outlet.observe(withContext: self) { client, device in client.perform(device) }
    try open()
  }

  deinit { link.close() }
}

/// The screen of a person who turns goals on and off, and the edit that the last step asks for.
private struct Screen {
  var state = GoalsEditState.displaying
  var edit: GoalEdit?

  func after(_ step: GoalsEditState.Step, in goals: Goals) -> Screen {
    let list = goals.items.map { (goal: $0.goal.id, isActive: $0.progress.isActive) }
    let (state, edit) = state.after(step, in: list)
    return Screen(state: state, edit: edit)
  }
}

extension Edit {
  /// An edit of the list or of progress.
  public init(_ edit: Either<GoalEdit, ProgressEdit>) {
    switch edit {
    case .left(let edit): self.init(edit)
    case .right(let edit): self.init(edit)
    }
  }
}
