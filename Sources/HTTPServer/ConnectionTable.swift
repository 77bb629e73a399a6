/// The open connections, found by tokens that are never used twice.
struct ConnectionTable {
  private var slots: [Connection?] = []
  private var free: [Int] = []
  private var generation: UInt64 = 0
  private(set) var count = 0

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
