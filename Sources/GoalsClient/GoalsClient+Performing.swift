import ChangePropagation
@preconcurrency import Dispatch
import Foundation
import GoalsCore
import GoalsEngine
import GoalsReplica
import Synchronization

/// The shell around the replica: it performs what was decided, and tells what came of it.
extension GoalsClient {
  /// What changes in a client besides the replica.
  struct Shell: Sendable {
    var isSignedIn = false
    var ear: (any DispatchSourceRead)?
    /// What was last seen of the files, where another client leads.
    var stamps: [DeviceFolder.Stamp?] = []
    /// What is kept of how far the clock is off.
    var clockOffset: Int64 = 0
    /// Why the last change was not kept; nil where it was.
    var fault: FileError?
    /// The callers that wait for what becomes of an edit.
    var waiting: [Edit.ID: @Sendable (Result<Void, EditFailure>) -> Void] = [:]
    /// Counted up where the replica is begun anew. What was asked before concerns it no more.
    var life = 0
    var isClosed = false
  }

  func announce(_ kind: Replica.Event.Kind) { happenings.announce(.event(kind)) }

  func perform(_ device: Device) {
    var isKept = true
    for decision in device.decisions {
      switch decision {
      case .keep(let delta, let number):
        isKept = keep(delta, number, of: device) && isKept
      case .send(let request, let ticket): send(request, ticket)
      case .follow(let cursor, let following): follow(cursor, following)
      case .unfollow: link.unfollow()
      case .findZone(let name): findZone(name)
      case .wait(let until):
        alarm.set(until) { [happenings] in
          happenings.announce(.event(.timePassed))
        }
      case .show: break
      case .tell(let notice): tell(notice)
      }
    }
    if !device.adopted.isEmpty, folder.leads, isKept { settle(device.adopted, device) }
    if folder.leads { keepClock(device.replica) }
    if device.replica.standing == .inStep { try? folder.shorten(device.replica.kept) }
  }

  // MARK: Keeping

  private func keep(_ delta: Replica.Delta, _ number: Int, of device: Device) -> Bool {
    do throws(FileError) {
      if device.adopted.isEmpty { noteGuesses(delta.own, device.replica) }
      // A change that another process left is in the inbox already. Only the leader keeps it in the
      // journal, too.
      if device.adopted.isEmpty || folder.leads {
        try folder.keep(delta, named: (world.makeID() as Edit.ID).description)
      }
      shell.withLock { $0.fault = nil }
      for edit in delta.own { answer(edit.id, .success(())) }
      announce(.kept(number))
      return true
    } catch {
      shell.withLock { $0.fault = error }
      for edit in delta.own { answer(edit.id, .failure(.notKept(error))) }
      announce(.notKept(number))
      return false
    }
  }

  /// Notes the edits that were dated while nothing is known of the clock. Another process may hear
  /// how far the clock is off, and correct them.
  private func noteGuesses(_ edits: [OwnEdit], _ replica: Replica) {
    guard replica.clockOffset == 0, let setting = world.clockSetting() else { return }
    for edit in edits.map(\.proposed) where replica.guessed.contains(edit.id) {
      if let at = edit.at { folder.note(guess: edit.id, at: at, of: setting) }
    }
  }

  /// Keeps how far the clock is off, for a process that starts without the server. The `Date` of an
  /// answer is in whole seconds, so small differences say nothing.
  private func keepClock(_ replica: Replica) {
    let offset = replica.clockOffset
    let kept = shell.withLock(\.clockOffset)
    guard replica.hasHeard, (offset == 0) != (kept == 0) || !DeviceFolder.isSame(offset, kept)
    else { return }
    // What can't be kept now is kept with the next answer.
    guard (try? folder.keep(clockOffset: offset, of: world.clockSetting())) != nil else { return }
    shell.withLock { $0.clockOffset = offset }
  }

  /// Removes changes from the inbox, once the journal has them. An edit that the replica did not
  /// take is kept, too: its maker was told that it is kept, so the server decides it.
  private func settle(_ inbox: [DeviceFolder.Left], _ device: Device) {
    let lost = inbox.flatMap(\.delta.own).filter { device.replica.kept.own[$0.id] == nil }
    do throws(FileError) {
      if !lost.isEmpty {
        var delta = Replica.Delta()
        delta.own = lost
        try folder.keep(delta, named: inbox[0].name)
      }
      for left in inbox { try folder.forget(left) }
      if !lost.isEmpty { try reopen() }
    } catch {
      // It stays in the inbox, and is adopted again.
    }
  }

  // MARK: The server

  private func send(_ request: Replica.Request, _ ticket: Replica.Ticket) {
    if case .sync(_, let edits) = request, !edits.isEmpty { try? folder.forgetGuesses() }
    let life = shell.withLock(\.life)
    link.send(request.http) { [weak self] answer in
      guard let self, self.shell.withLock({ $0.life == life }) else { return }
      guard let answer else { return self.announce(.unreachable(ticket)) }
      self.announce(
        Replica.Event.Kind(
          to: request, ticket, status: answer.status, answer.fields, body: answer.body))
    }
  }

  private func follow(_ cursor: Replica.Cursor?, _ following: Replica.Following) {
    link.unfollow()
    let target = following.target(after: cursor)
    let life = shell.withLock(\.life)
    switch following {
    case .stream:
      link.follow(target) { [weak self] heard in
        guard let self, self.shell.withLock({ $0.life == life }) else { return }
        switch heard {
        case .event(let event):
          let kind = Replica.Event.Kind(streamed: event.type, event.id, data: event.data)
          if let kind { self.announce(kind) }
        case .ended(let began): self.announce(.followEnded(hadBegun: began))
        }
      }
    case .longPoll:
      link.poll(target) { [weak self] answer in
        guard let self, self.shell.withLock({ $0.life == life }) else { return }
        guard let answer else { return self.announce(.followEnded(hadBegun: false)) }
        let events = Replica.Event.Kind.events(ofLongPoll: answer.status, body: answer.body)
        for kind in events { self.announce(kind) }
      }
    }
  }

  // MARK: Zones

  private func findZone(_ name: ZoneName) {
    if let bytes = world.zoneFile(name) ?? folder.zoneFile(name),
      let zone = try? Zone(name: name, tzif: bytes)
    {
      return announce(.zone(name, .found(zone)))
    }
    guard folder.leads, shell.withLock(\.isSignedIn) else {
      return announce(.zone(name, .unavailable))
    }
    link.send("GET", "/v1/zones/\(name.text)") { [weak self] answer in
      guard let self else { return }
      guard let answer, answer.status == 200 || answer.status == 404 else {
        return self.announce(.zone(name, .unavailable))
      }
      guard answer.status == 200 else { return self.announce(.zone(name, .unknown)) }
      guard let zone = try? Zone(name: name, tzif: answer.body) else {
        return self.announce(.zone(name, .unavailable))
      }
      try? self.folder.keepZone(name, answer.body)
      self.announce(.zone(name, .found(zone)))
    }
  }

  // MARK: Telling

  private func tell(_ notice: Replica.Notice) {
    switch notice {
    case .rejected(let edit, let rejection, wasKept: false):
      answer(edit.id, .failure(.rejected(rejection)))
    case .unchanged(let ids):
      for id in ids { answer(id, .failure(.unchanged)) }
    case .notKept(let ids):
      for id in ids { answer(id, .failure(.notKept(nil))) }
    case .rejected, .restored, .signInNeeded, .otherAccount, .readOnly, .accountFull, .clockIsOff,
      .newerServer, .notUnderstood:
      break
    }
    told.announce(notice)
  }

  private func answer(_ id: Edit.ID, _ result: Result<Void, EditFailure>) {
    shell.withLock { $0.waiting.removeValue(forKey: id) }?(result)
  }
}
