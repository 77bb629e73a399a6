/// The open connections, found by tokens that are never used twice.
struct ConnectionTable {
  private var slots: [Connection?] = []
  private var free: [Int] = []
  private var generation: UInt64 = 0
  private(set) var count = 0
  /// Those that have come, in this order; some have asked for something since, or are gone.
  private var newcomers: ArraySlice<UInt64> = []
  /// Those that were to be spared least when all were looked at, the least one last.
  private var spares: [(token: UInt64, spare: Spare)] = []
  private var mayLookAt: Moment?

  var isEmpty: Bool { count == 0 }

  /// A snapshot: it may be gone through while connections come and go.
  var all: [Connection] { slots.compactMap { $0 } }

  subscript(_ token: UInt64) -> Connection? {
    let slot = Int(token & 0xFFFF_FFFF)
    guard slot < slots.count, let connection = slots[slot], connection.token == token else {
      return nil
    }
    return connection
  }

  /// The connection is made with a token of its own: the slot below, a generation above.
  mutating func insert(_ make: (_ token: UInt64) -> Connection) -> Connection {
    let slot = free.popLast() ?? slots.count
    if slot == slots.count { slots.append(nil) }
    generation = generation % 0x7FFF_FFFF + 1
    let connection = make(generation << 32 | UInt64(slot))
    slots[slot] = connection
    count += 1
    if newcomers.count > 2 * count + 64 { newcomers = newcomers.filter { self[$0] != nil }[...] }
    newcomers.append(connection.token)
    return connection
  }

  mutating func remove(_ connection: Connection) {
    guard self[connection.token] === connection else { return }
    let slot = Int(connection.token & 0xFFFF_FFFF)
    slots[slot] = nil
    free.append(slot)
    count -= 1
  }
}

extension ConnectionTable {
  /// How many are found when all are looked at.
  private static let sparesAtOnce = 64
  /// How much later all may be looked at again, for each of them: ten times as long as it takes.
  private static let lookTime: Duration = .microseconds(1)

  /// Takes the connection that is to be given up first; nil where none is. It is not offered again as long as
  /// nothing changes, so whoever asks gives it up, or has found it busy.
  mutating func takeSpare(now: Moment) -> Connection? {
    while let token = newcomers.popFirst() {
      if let connection = self[token], case .unused? = connection.spare(now: now) {
        return connection
      }
    }
    if let connection = takeKnownSpare(now) { return connection }
    guard mayLookAt.map({ $0 <= now }) ?? true else { return nil }
    mayLookAt = now + ConnectionTable.lookTime * count
    let found = all.compactMap { connection in
      connection.spare(now: now).map { (token: connection.token, spare: $0) }
    }
    spares = found.sorted { $0.spare > $1.spare }.suffix(ConnectionTable.sparesAtOnce)
    return takeKnownSpare(now)
  }

  private mutating func takeKnownSpare(_ now: Moment) -> Connection? {
    while let (token, spare) = spares.popLast() {
      if let connection = self[token], connection.spare(now: now) == spare { return connection }
    }
    return nil
  }
}
