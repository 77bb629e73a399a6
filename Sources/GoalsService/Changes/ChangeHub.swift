import ChangePropagation
import Dispatch
import GoalsCore
import GoalsStore
import HTTPServer
import Synchronization

/// Tells the followers of an account which edits are recorded in it, and when its periods end. It
/// observes the commits, and does nothing for accounts without followers.
///
/// `@unchecked Sendable`, because everything but `followed`, `numbers` and `moments` is touched on
/// `queue` only.
package final class ChangeHub: @unchecked Sendable {
  /// A day of an account.
  struct Today {
    let calendar: CalendarSettings
    /// Nil where no calendar could be had yet.
    let day: Day?
    let start: Instant
    /// When the day is over, or the calendar is asked for again; nil while the state is being read
    /// for that.
    var end: Instant?
  }

  /// How many edits of the log are read at once for a stream that is behind. Its client takes them
  /// before the next are read.
  private static let pageSize = 100
  /// A commit is written without waiting where the buffer of a stream takes so many of its size.
  private static let shareOfBuffer = 8
  /// How long a client has for a page, in milliseconds, where more than its buffer is announced
  /// meanwhile.
  private static let patience: Int64 = 1000

  let store: Store
  let world: World
  let authenticator: Authenticator
  let queue = DispatchQueue(label: "GoalsService.changes")
  /// Reads for followers that are behind, one at a time, so that many that come back at once fill
  /// neither the memory nor the disk's queue. Accounts take turns.
  private let reads = FairQueue(DispatchQueue(label: "GoalsService.changes.reads"))
  private let numbers = Atomic(0)
  private let moments = Atomic(0)
  /// The accounts that have followers. The writer's queue looks here before it hands a commit over.
  private let followed = Mutex<Set<Account.ID>>([])
  var rooms: [Account.ID: Room] = [:]
  /// When the alarm rings, by the time since the system started.
  var alarm: Duration?
  var nextBeat: Duration?
  private var isClosed = false
  /// How many streams and waiting requests an account may have, at least 1.
  let maximumFollowers: Int

  package init(_ access: Access, maximumFollowers: Int = AccessPolicy().accountStreams) {
    self.maximumFollowers = max(maximumFollowers, 1)
    store = access.store
    world = access.world
    authenticator = access.authenticator
    store.updated.observe(withContext: self) { hub, commit in
      guard hub.followed.withLock({ $0.contains(commit.account) }) else { return }
      hub.queue.async { hub.tell(commit) }
    }
    authenticator.ended.observe(withContext: self) { hub, ended in
      hub.queue.async { hub.endAll { ended.concerns($0) } }
    }
  }

  /// Counts what is told and who comes, in all accounts.
  var moment: Int { moments.load(ordering: .acquiring) }

  /// Takes note that somebody came to an account, or was told something.
  private func move(_ room: Room) {
    room.movedAt = moments.wrappingAdd(1, ordering: .acquiringAndReleasing).newValue
  }

  func nextNumber() -> Int { numbers.wrappingAdd(1, ordering: .relaxed).newValue }

  /// The accounts that have followers.
  var followedAccounts: [Account.ID] { followed.withLock { Array($0) } }

  /// All who follow or wait.
  var callers: [Caller] {
    queue.sync {
      rooms.values.flatMap { $0.members.values.map(\.caller) + $0.waiters.values.map(\.caller) }
    }
  }

  // MARK: Coming and going

  /// Lets a stream join, under a number of its own. It is told of everything from now on.
  func join(_ following: Following, as number: Int, _ stream: ResponseStream) {
    queue.async { self.admit(following, as: number, stream) }
  }

  func leave(_ number: Int, of account: Account.ID) {
    queue.async {
      self.rooms[account]?.members[number] = nil
      self.closeIfEmpty(account)
    }
  }

  /// Calls back when there is an edit after a cursor, or after the log's start, once.
  @Sendable func wait(
    for caller: Caller, after cursor: Cursor?, seconds: Int,
    _ wake: @escaping @Sendable (Waking) -> Void
  ) {
    let deadline = world.uptime() + .seconds(seconds)
    queue.async {
      guard !self.isClosed else { return wake(.timeout) }
      guard self.authenticator.admits(caller, in: self.world) else { return wake(.refused) }
      let (account, number) = (caller.account, self.nextNumber())
      self.makeRoom(in: account)
      let waiter = Waiter(after: cursor, caller: caller, deadline: deadline, wake: wake)
      let room = self.room(of: account)
      room.waiters[number] = waiter
      self.move(room)
      self.arm(for: deadline)
      self.armForEnd(of: caller)
      if let published = self.store.stateInMemory(account) {
        if waiter.isBehind(Cursor(published)) { self.wake(number, in: account, .edit) }
      } else {
        let version = cursor?.version ?? .none
        let read = { @Sendable [store = self.store] in try store.log.page(account, version, 1) }
        self.fetch(of: account, read) { hub, page in
          if page.map({ !$0.entries.isEmpty }) ?? true { hub.wake(number, in: account, .edit) }
        }
      }
    }
  }

  /// Ends every stream and every wait, and lets nobody join.
  func close() {
    queue.async {
      self.isClosed = true
      for room in self.rooms.values {
        for waiter in room.waiters.values { waiter.wake(.timeout) }
        room.waiters = [:]
        for member in room.members.values { member.stream.end() }
      }
    }
  }

  /// Ends the streams and the waits of the callers who were shut out.
  func endAll(where ended: (Caller) -> Bool) {
    dispatchPrecondition(condition: .onQueue(queue))
    for (account, room) in rooms {
      wake(.refused, in: account) { ended($0.caller) }
      for member in room.members.values where ended(member.caller) { member.stream.end() }
    }
  }

  private func admit(_ following: Following, as number: Int, _ stream: ResponseStream) {
    dispatchPrecondition(condition: .onQueue(queue))
    guard !isClosed else { return stream.end() }
    // A stream that is over already was told to leave before it joined.
    guard stream.isOpen else { return }
    let account = following.caller.account
    makeRoom(in: account)
    let room = room(of: account)
    if room.today == nil { look(room, at: following.calendar) }
    room.members[number] = Room.Member(following, number, stream)
    move(room)
    step(number, in: account) { [store] in
      $0.joined(head: store.stateInMemory(account).map(Cursor.init))
    }
    // The hub hears of every end from now on. But the token may have been revoked before that.
    guard authenticator.admits(following.caller, in: world) else { return stream.end() }
    beatSoon()
    armForEnd(of: following.caller)
  }

  private func room(of account: Account.ID) -> Room {
    dispatchPrecondition(condition: .onQueue(queue))
    if let room = rooms[account] { return room }
    let room = Room()
    rooms[account] = room
    followed.withLock { _ = $0.insert(account) }
    return room
  }

  func closeIfEmpty(_ account: Account.ID) {
    guard let room = rooms[account], room.members.isEmpty, room.waiters.isEmpty else { return }
    rooms[account] = nil
    followed.withLock { _ = $0.remove(account) }
  }

  func wake(_ number: Int, in account: Account.ID, _ waking: Waking) {
    guard let waiter = rooms[account]?.waiters.removeValue(forKey: number) else { return }
    waiter.wake(waking)
    closeIfEmpty(account)
  }

  /// Wakes the requests of an account that wait for this.
  func wake(_ waking: Waking, in account: Account.ID, where isDue: (Waiter) -> Bool) {
    for (number, waiter) in rooms[account]?.waiters ?? [:] where isDue(waiter) {
      wake(number, in: account, waking)
    }
  }

  // MARK: Telling

  private func tell(_ commit: Commit) {
    dispatchPrecondition(condition: .onQueue(queue))
    guard let room = rooms[commit.account] else { return }
    guard let first = commit.edits.first?.version, let seal = commit.seals.last else {
      return restart(room, of: commit.account)
    }
    let start = Cursor(Version(first.number - 1), commit.chain)
    let head = Cursor(commit.state.version, seal.chain)
    if head.version >= room.knownVersion { room.known = head }
    move(room)
    if let today = room.today, today.calendar != commit.state.calendar {
      look(room, at: commit.state.calendar)
    }
    // Made once for all followers, and only where one needs it.
    lazy var events = Array(
      zip(commit.edits, commit.seals).map {
        ChangeEvent.edit($1.payload, Cursor($0.version, $1.chain))
      }.joined())
    let size = commit.seals.reduce(0) { $0 + $1.payload.count }
    var told: [ResponseStream] = []
    let isDeaf = authenticator.isDeaf
    for member in room.inOrder {
      // A commit that fills the buffer by itself would cut off even the fastest clients. Where a
      // caller may have been shut out unnoticed, the edits are read from the log, and the store is
      // first asked whether the caller is still let in.
      let isLong = isDeaf || size > member.stream.limit / Self.shareOfBuffer
      switch member.follower.announced(from: start, to: head, isLong: isLong) {
      case .tell: told.append(member.stream)
      case .read(let version): read(for: member.number, in: commit.account, after: version)
      case .rest: wait(for: member, size)
      case .end: member.stream.end()
      case .send: break
      }
    }
    if !told.isEmpty { ResponseStream.write(events, to: told) }
    wake(.edit, in: commit.account) { $0.isBehind(head) }
  }

  /// Cuts off a client that does not take its page while more is announced than its buffer holds.
  private func wait(for member: Room.Member, _ size: Int) {
    guard member.follower.isSending else { return }
    member.page.behind += size
    let end = member.page.writtenAt.adding(milliseconds: Self.patience)
    if member.page.behind > member.stream.limit, world.now() >= end { member.stream.cutOff() }
  }

  /// A log was imported: the followers' cursors may be of another history now. The clients come
  /// back, and are told so.
  private func restart(_ room: Room, of account: Account.ID) {
    for member in room.members.values { member.stream.end() }
    wake(.edit, in: account) { _ in true }
  }

  /// Has a follower take a step that writes nothing.
  func step(
    _ number: Int, in account: Account.ID, _ take: (inout Follower) -> Follower.Step
  ) {
    guard let member = rooms[account]?.members[number] else { return }
    switch take(&member.follower) {
    case .read(let version): read(for: number, in: account, after: version)
    case .end: member.stream.end()
    case .rest, .send, .tell: break
    }
  }

  private func read(for number: Int, in account: Account.ID, after version: Version) {
    dispatchPrecondition(condition: .onQueue(queue))
    guard let member = rooms[account]?.members[number] else { return }
    // Nothing is read for a client that has gone meanwhile, or is let in no more.
    let read = { @Sendable [stream = member.stream, caller = member.caller, store, authenticator] in
      let isLetIn = authenticator.isDeaf ? try authenticator.admits(caller) : true
      guard stream.isOpen, isLetIn else { return LogPage?.none }
      return try store.log.page(account, version, Self.pageSize)
    }
    fetch(of: account, read) { hub, page in
      guard let room = hub.rooms[account], let member = room.members[number] else { return }
      // The client comes back to where it was.
      guard let page else { return member.stream.end() }
      hub.move(room)
      let start = page.chainBefore.map { Cursor(version, $0) }
      let last = page.entries.last.map { Cursor($0.version, $0.chain) }
      switch member.follower.read(from: start, to: last, head: page.head) {
      case .send:
        member.page = (hub.world.now(), 0)
        let events = page.entries.map { ChangeEvent.edit($0.payload, Cursor($0.version, $0.chain)) }
        member.stream.write(Array(events.joined())) {
          hub.queue.async { hub.step(number, in: account) { $0.sent() } }
        }
      case .read(let version): hub.read(for: number, in: account, after: version)
      case .end: member.stream.end()
      case .rest, .tell: break
      }
    }
  }

  /// Reads the disk on a queue of its own, and comes back with the value; nil where it can't be
  /// read.
  func fetch<Value: Sendable>(
    of account: Account.ID, _ read: @escaping @Sendable () throws -> Value?,
    _ then: @escaping @Sendable (ChangeHub, Value?) -> Void
  ) {
    let portion = { @Sendable (_: Int) in Optional.some(try read()) }
    reads.run(of: account, for: .patient, isOwed: true, in: world, portion) { result in
      self.queue.async { then(self, (try? result.get()) ?? nil) }
    }
  }
}
