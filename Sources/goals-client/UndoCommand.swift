import ArgumentParser
import GoalsClient
import GoalsCore
import GoalsReplica
import Terminal

/// What an undo took back.
struct Undone {
  let edit: Edit.ID
  let words: String
}

/// `goals undo`.
struct Undo: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Take back what was done last on this machine.")

  @Flag(help: "Pass over what can't be taken back, to what was done before it.")
  var earlier = false
  @OptionGroup var options: PrintOptions

  func run() async throws {
    let session = try Session.open()
    let (id, undone) = try await session.judged(asking: "taken back") {
      () async throws -> (Edit.ID, Undone) in
      try await takeBack(in: session)
    }
    try await session.send(
      id, about: nil, undoing: undone, saying: "Took back: \(undone.words)\n", options)
  }

  /// Takes the last step back that was not taken back yet, and of which something is left. No
  /// earlier step is tried unless the person asked for that: they mean this one.
  private func takeBack(in session: Session) async throws -> (Edit.ID, Undone) {
    let undoable = session.client.undoable
    for index in undoable.indices {
      let step = Self.step(undoable[index...])
      guard let first = step.last else { continue }
      let words = session.words(for: first.proposed)
      if let loss = await session.loss(byTakingBack: first) {
        guard !earlier else { continue }
        throw CommandFailure("This can't be taken back: \(words). \(loss)")
      }
      switch await Self.undo(step, in: session.client) {
      case .success(let id): return (id, Undone(edit: first.id, words: words))
      // Somebody else did, or has deleted the goal: nothing is left of it.
      case .failure(.rejected(.undoneAlready)), .failure(.rejected(.goalGone)): break
      case .failure(.rejected) where earlier: break
      case .failure(.rejected(let rejection)):
        throw CommandFailure(
          "This can't be taken back: \(words). \(rejection.detail) "
            + "`goals undo --earlier` takes back what was done before it.")
      case .failure(let failure): throw failure
      }
    }
    throw CommandFailure("Nothing of the last 30 days that was done on this machine can be undone.")
  }

  /// Takes the edits back, in their order, up to the first of which that is not possible.
  private static func undo(
    _ step: [OwnEdit], in client: GoalsClient
  ) async -> Result<Edit.ID, EditFailure> {
    var last: Result<Edit.ID, EditFailure> = .failure(.unchanged)
    for own in step {
      do throws(EditFailure) {
        last = .success(try await client.make(Edit(.undo(own.id))))
      } catch {
        return .failure(error)
      }
    }
    return last
  }

  /// The last edit, with the one before it where `goals add` made both.
  private static func step(_ undoable: ArraySlice<OwnEdit>) -> [OwnEdit] {
    let pair = undoable.prefix(2).map(\.proposed)
    guard pair.count == 2, pair[0].at == pair[1].at, case .goal(.add(let goal)) = pair[1].edit,
      pair[0].edit == Edit(.setActivity(.keyed([goal.id: true])))
    else { return Array(undoable.prefix(1)) }
    return Array(undoable.prefix(2))
  }
}

extension Session {
  /// What would be lost with a goal whose adding is taken back, as a sentence; nil where nothing
  /// would. This device hears the server first: others may have counted in the goal.
  fileprivate func loss(byTakingBack own: OwnEdit) async -> String? {
    guard case .goal(.add(let goal)) = own.proposed.edit else { return nil }
    await catchUp()
    guard let tracked = client.replica.shown.roster.listed(goal.id) else { return nil }
    guard tracked.days.all.allSatisfy({ $0.count == 0 && !$0.isExcused }) else {
      return "Its counts and skipped days would be lost with it: "
        + "delete the goal on the page if you mean that."
    }
    // Nobody else has seen what was not sent.
    guard hindrance != nil, own.standing != .due else { return nil }
    return "Another device may have counted in it."
  }
}
