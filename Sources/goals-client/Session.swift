import ArgumentParser
import ChangePropagation
import Foundation
import GoalsClient
import GoalsCore
import GoalsReplica
import Synchronization
import Terminal

/// One command's use of the account.
struct Session {
  /// How many times as long as usual a command waits for the server, for a slow line: what
  /// `GOALS_PATIENCE` says.
  private static let factor: Double = {
    let given = getenv("GOALS_PATIENCE").map { String(cString: $0) } ?? ""
    return given.isEmpty ? 1 : Double(given) ?? 0
  }()
  /// How long a command waits for the server before it goes on without.
  static let patience = Duration.seconds(2) * factor
  /// How long a command that made an edit waits for the server's first word.
  static let patienceForAnswer = Duration.milliseconds(600) * factor
  /// How long a first sign-in may take: a log of years is read.
  static let patienceAtFirst = Duration.seconds(120)
  /// The most that is shown of a server's sentence, in cells.
  private static let longest = 500

  /// Throws if `GOALS_PATIENCE` is not a number that can be waited for.
  static func checkPatience() throws {
    guard !(0.1...1000).contains(factor) else { return }
    throw CommandFailure("GOALS_PATIENCE is a number from 0.1 to 1000.", code: 64)
  }

  let client: GoalsClient
  private let who: SignIn
  private let listener: Listener

  var server: String { who.server }

  /// Opens what is kept. Nothing is sent yet.
  static func open() throws -> Session { try Session(SignIn.read()) }

  init(_ signIn: SignIn) throws {
    guard let url = URL(string: signIn.server) else {
      throw CommandFailure("\(signIn.server) is no address of a server: `goals login` again.")
    }
    do {
      client = try GoalsClient(in: signIn.folder, of: url)
    } catch {
      throw CommandFailure("I \(error).")
    }
    who = signIn
    listener = Listener()
    client.notices.observe(withContext: listener) { listener, notice in listener.hear(notice) }
  }

  /// Begins to speak with the server.
  func signIn() { client.signIn(token: who.token) }

  /// Waits until the person signs in again from another terminal, once this token is not valid any
  /// more, and goes on with the new token. It ends when its task is cancelled, or when the person
  /// has signed out. The result is whether they have signed out; then nothing more is written.
  func signInAgain() async -> Bool {
    var token = who.token
    while (try? await Task.sleep(for: .seconds(1))) != nil {
      guard SignIn.exists, FileManager.default.fileExists(atPath: who.folder) else {
        client.close()
        return true
      }
      guard client.status.current.standing == .stopped(.signedOut), let new = try? SignIn.read(),
        new.account == who.account, new.server == who.server, new.token != token
      else { continue }
      token = new.token
      client.signIn(token: token)
    }
    return false
  }

  /// The goal that a person names.
  func item(named text: String) throws -> Goals.Item {
    do throws(CommandFailure) {
      return try client.goals.current.goal(named: text)
    } catch {
      guard client.status.current.isCatchingUp else { throw error }
      throw CommandFailure(hasRead ? "\(error.sentence) \(reading)" : reading)
    }
  }

  /// Waits until this device and the server agree, for a short time.
  func meet(atMost patience: Duration = patience) async {
    _ = await client.wait(atMost: patience) { status in
      guard status.leads else { return status.unsent.isEmpty }
      switch status.standing {
      case .loading, .asking: return false
      case .inStep: return !status.isCatchingUp && status.unsent.isEmpty
      case .waiting, .stopped: return true
      }
    }
  }

  /// Waits for what the server does with an edit. A server that says nothing, and another process
  /// that speaks with it, hold nobody up: the edit is kept.
  ///
  /// - Parameter tell: called when the server has answered, or a moment later where it does not.
  func settle(_ tell: () -> Void = {}) async {
    await meet(atMost: Self.patienceForAnswer)
    tell()
    if client.replica.hasHeard { await meet() }
  }

  /// Reads what the server has, for a short time. Another process that leads has read it already,
  /// or is about to end.
  func catchUp() async {
    signIn()
    if !client.status.current.leads {
      await client.wait(atMost: Self.patienceForAnswer) { $0.leads }
    }
    await settle()
  }

  /// Says what a person should know, on standard error, and ends.
  ///
  /// - Parameter hasTold: whether the command has said what keeps this device from the server.
  /// - Throws: where an edit was not recorded, for a program that does not read the sentence.
  func close(hasTold: Bool = true) throws {
    let status = client.status.current
    for own in status.rejected {
      StandardError.write("goals: \(rejection(of: own))\n")
    }
    if !status.rejected.isEmpty {
      client.dismiss(status.rejected.map(\.id))
      client.network.settle()
    }
    let remarks =
      notices(listener.heard.filter { !hasTold || !$0.isOfToken })
      + (status.isCatchingUp ? [reading] : [])
      + [damage].compactMap(\.self)
    for remark in remarks { StandardError.write("goals: \(remark)\n") }
    if status.damagedFile != nil { client.dismissDamage() }
    client.close()
    if !status.rejected.isEmpty { throw ExitCode.failure }
  }

  /// How many edits wait, and for what; nil where none does.
  var waiting: String? {
    let count = client.status.current.unsent.count
    guard count > 0 else { return nil }
    let edits = count == 1 ? "1 edit waits" : "\(count) edits wait"
    let cause = hindrance ?? (mayOnlyRead ? Self.readsOnly : nil)
    return "\(edits) to be sent" + (cause.map { ": \($0)" } ?? ".")
  }

  /// What keeps this device from the server; nil where nothing does, or where another process
  /// speaks with it.
  var hindrance: String? {
    let status = client.status.current
    return switch status.standing {
    case .waiting(_, .unreachable): "\(server) can't be reached."
    case .waiting(_, .asked): "\(server) asked for time."
    case .waiting(_, .status(let code)): "\(server) answered \(code)."
    case .waiting(_, .refusedBetween(let code)):
      "something between here and \(server) refused (\(code))."
    case .waiting(_, .nonsense): "what \(server) answers makes no sense."
    case .stopped(.otherAccount): "the token is of another account."
    case .stopped(.signedOut) where status.leads:
      "the server does not take the token. `goals login` again."
    case .asking where status.leads: "\(server) did not answer yet."
    case .loading, .inStep, .asking, .stopped:
      status.leads ? nil : client.fault.map { "I \($0)." }
    }
  }

  /// Whether what is shown is what the server has, as far as this device knows.
  var isUpToDate: Bool { hindrance == nil && !client.status.current.isCatchingUp }

  /// Whether the server has refused to take edits with the token.
  var mayOnlyRead: Bool { listener.heard.contains(.readOnly) }

  /// What waits, or why the list may be old.
  private var state: String? { waiting ?? hindrance.map { "Not up to date: \($0)" } }

  /// Says that on standard error.
  func tellState() {
    if let state { StandardError.write("goals: \(state)\n") }
  }

  /// All that a person should know beside the list, for who goes on looking at it.
  var remarks: [String] {
    let status = client.status.current
    return status.rejected.map(rejection) + [state, damage].compactMap(\.self)
      + (status.isCatchingUp ? [reading] : [])
      + notices(listener.heard.filter { !$0.isStanding })
  }

  /// What the client told, in words.
  private func notices(_ heard: [Replica.Notice]) -> [String] { heard.compactMap(sentence) }

  private var damage: String? {
    client.status.current.damagedFile.map {
      "What this machine kept was damaged. What could be read of it is used; all of it is in \($0)."
    }
  }

  private static let readsOnly =
    "this token may only read. `goals login` with one that may write."

  /// Whether this device has any of the server's log.
  private var hasRead: Bool { client.replica.kept.cursor != nil }

  private var reading: String {
    hasRead
      ? "The server's log is being read: this is not all of it yet."
      : "Nothing was read from the server yet."
  }

  // MARK: Words

  private func rejection(of own: OwnEdit) -> String {
    guard case .rejected(let rejection) = own.standing else { return "" }
    var detail = rejection.detail.shown(within: Self.longest)
    // A person knows a goal by its title.
    if case .progress(let edit) = own.proposed.edit,
      let title = client.replica.shown.roster.goal(edit.goal)?.goal.title.text
    {
      detail = detail.replacing(edit.goal.description, with: title.shown(within: 40))
    }
    if case .account(.undo(let id)) = own.proposed.edit {
      let taken = client.replica.kept.own[id].map { words(for: $0.proposed) }
      return "This can't be taken back: \(taken ?? "an edit"). \(detail)"
    }
    return "Not recorded: \(words(for: own.proposed)). \(detail)"
  }

  private func sentence(for notice: Replica.Notice) -> String? {
    switch notice {
    // These are among the rejected, or are the answer to the command.
    case .rejected, .unchanged, .notKept: nil
    case .restored(let count):
      "The server was restored from a backup. "
        + (count == 1 ? "1 edit of this device is" : "\(count) edits of this device are")
        + " sent again."
    case .signInNeeded: "The server does not take the token any more: `goals login` again."
    case .otherAccount: "The token is of another account, and was not used."
    case .readOnly where client.status.current.unsent.isEmpty: nil
    case .readOnly: Self.readsOnly.capitalizedFirst
    case .accountFull: "The account is full on the server. Edits wait."
    case .clockIsOff(let milliseconds):
      "This machine's clock is \(Self.duration(milliseconds)) \(milliseconds > 0 ? "behind" : "ahead")."
    case .newerServer: "The server is newer than this program, which shows what it understands."
    case .notUnderstood(let detail):
      "The server can't be understood: \(detail.shown(within: Self.longest))"
    }
  }

  private static func duration(_ milliseconds: Int64) -> String {
    let minutes = milliseconds.magnitude / 60_000
    return switch minutes {
    case ..<120: "\(minutes) minutes"
    case ..<2880: "\(minutes / 60) hours"
    default: "\(minutes / 1440) days"  // NB: open: a switch over numbers.
    }
  }
}

extension ProgressEdit {
  fileprivate var goal: Goal.ID {
    switch self {
    case .bump(let id, _, _), .skip(let id): id
    }
  }
}

extension Replica.Notice {
  /// Whether the client's state tells the same for as long as it lasts.
  fileprivate var isStanding: Bool {
    if case .notUnderstood = self { true } else { isOfToken }
  }

  /// Whether the notice is about the token. The client's state tells the same in other words.
  fileprivate var isOfToken: Bool {
    switch self {
    case .signInNeeded, .otherAccount, .readOnly: true
    case .rejected, .unchanged, .notKept, .restored, .accountFull, .clockIsOff, .newerServer,
      .notUnderstood:
      false
    }
  }
}

/// Keeps what the client told during a command.
private final class Listener: Sendable {
  private let notices = Mutex<[Replica.Notice]>([])

  var heard: [Replica.Notice] { notices.withLock { $0 } }

  func hear(_ notice: Replica.Notice) {
    notices.withLock { if !$0.contains(notice) { $0.append(notice) } }
  }
}
