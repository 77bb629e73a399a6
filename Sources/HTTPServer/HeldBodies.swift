/// The bytes of all bodies whose requests are being read or answered, also where the client is
/// gone, and whose they are.
///
/// The large bodies of one holder may take as many bytes as all bodies together leave free. So one
/// holder takes half of the memory at most, two take a third each, and somebody who comes after
/// them finds as much again.
struct HeldBodies {
  /// A body, or what has come of it. That of a stranger has no holder.
  struct Body: Sendable {
    var bytes = 0
    var holder: UInt64?
  }

  private(set) var bytes = 0
  /// Of the large bodies only: the small ones are many, and count for nobody.
  private var ofHolders: [UInt64: Int] = [:]
  private let limits: SharedLimits

  init(_ limits: SharedLimits) { self.limits = limits }

  /// From now on so many bytes are held of a body.
  mutating func change(_ body: Body, to count: Int) {
    bytes += count - body.bytes
    guard let holder = body.holder, isLarge(count) || isLarge(body.bytes) else { return }
    let held =
      ofHolders[holder, default: 0] + (isLarge(count) ? count : 0)
      - (isLarge(body.bytes) ? body.bytes : 0)
    ofHolders[holder] = held > 0 ? held : nil
  }

  /// Whether a body that is counted is more than its holder may have.
  func isTooMuch(_ body: Body) -> Bool {
    guard isLarge(body.bytes) else { return false }
    let held = body.holder.flatMap { ofHolders[$0] } ?? body.bytes
    return held > limits.values.bodyMemory - bytes
  }

  private func isLarge(_ count: Int) -> Bool { count > limits.values.bodyShare }
}
