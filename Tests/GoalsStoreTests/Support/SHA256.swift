/// SHA-256 as FIPS 180-4 §6.2 words it, so that the chain is checked by another hand than made it.
enum SHA256 {
  static func hash(_ message: [UInt8]) -> [UInt8] {
    var hash = roots(of: primes(8), degree: 2)
    let constants = roots(of: primes(64), degree: 3)
    let blocks = padded(message)
    for start in stride(from: 0, to: blocks.count, by: 64) {
      compress(Array(blocks[start..<start + 64]), into: &hash, constants)
    }
    return hash.flatMap { word in [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: word >> $0) } }
  }

  /// §5.1.1: a one bit, zeros, and the length in bits, to whole blocks of 512 bits.
  private static func padded(_ message: [UInt8]) -> [UInt8] {
    var padded = message + [0x80]
    while padded.count % 64 != 56 { padded.append(0) }
    let bits = UInt64(message.count) * 8
    return padded + (0..<8).map { UInt8(truncatingIfNeeded: bits >> UInt64(56 - 8 * $0)) }
  }

  private static func compress(_ block: [UInt8], into hash: inout [UInt32], _ constants: [UInt32]) {
    var words = (0..<16).map { place in
      block[4 * place..<4 * place + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    }
    for place in 16..<64 {
      let (early, late) = (words[place - 15], words[place - 2])
      let first = rotated(early, 7) ^ rotated(early, 18) ^ (early >> 3)
      let second = rotated(late, 17) ^ rotated(late, 19) ^ (late >> 10)
      words.append(second &+ words[place - 7] &+ first &+ words[place - 16])
    }
    var v = hash
    for place in 0..<64 {
      let sum = rotated(v[4], 6) ^ rotated(v[4], 11) ^ rotated(v[4], 25)
      let choice = (v[4] & v[5]) ^ (~v[4] & v[6])
      let first = v[7] &+ sum &+ choice &+ constants[place] &+ words[place]
      let other = rotated(v[0], 2) ^ rotated(v[0], 13) ^ rotated(v[0], 22)
      let majority = (v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2])
      v = [first &+ other &+ majority, v[0], v[1], v[2], v[3] &+ first, v[4], v[5], v[6]]
    }
    for place in 0..<8 { hash[place] = hash[place] &+ v[place] }
  }

  private static func rotated(_ word: UInt32, _ places: UInt32) -> UInt32 {
    word >> places | word << (32 - places)
  }

  private static func primes(_ count: Int) -> [UInt64] {
    var primes: [UInt64] = []
    var next: UInt64 = 2
    while primes.count < count {
      if primes.allSatisfy({ next % $0 != 0 }) { primes.append(next) }
      next += 1
    }
    return primes
  }

  /// §4.2.2 and §5.3.3: the first 32 bits of the fractional parts of square or cube roots.
  private static func roots(of primes: [UInt64], degree: Int) -> [UInt32] {
    primes.map { prime in
      // The largest x with x^degree ≤ prime × 2^(32 × degree): the root with 32 fractional bits.
      var root: UInt64 = 0
      for bit in (0..<36).reversed() {
        let candidate = root | 1 << UInt64(bit)
        let power = (0..<degree).reduce(UInt128(1)) { product, _ in product * UInt128(candidate) }
        if power <= UInt128(prime) << (32 * degree) { root = candidate }
      }
      return UInt32(truncatingIfNeeded: root)
    }
  }
}
