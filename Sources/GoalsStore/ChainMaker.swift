import Digests
import GoalsCore
import GoalsWire
import JSON

/// Makes the links of an account's hash chain: SHA-256 (FIPS 180-4) over the link before and what
/// was recorded. The account's name and id are not in it, so an export has the same chain wherever
/// it is imported.
package enum ChainMaker {
  /// The format of the payloads that are written now: the JSON of `RecordedEdit`.
  package static let payloadFormat = 1

  /// The link before the first edit, over the initial calendar.
  package static func start(_ calendar: CalendarSettings) -> Chain {
    var json = JSONWriter()
    json.object { calendar.writeMembers(to: &$0) }
    var hash = SHA256()
    hash.update(Array("goals/1\n".utf8))
    hash.update(json.bytes)
    return Chain(hash)
  }

  /// The link of an edit with this payload.
  package static func next(after chain: Chain, format: Int, payload: [UInt8]) -> Chain {
    // Laid side by side and hashed in one go: three updates would fill the hash's own buffer piece
    // by piece.
    withUnsafeTemporaryAllocation(byteCount: 33 + payload.count, alignment: 8) { room in
      let words = chain.words
      room.storeBytes(of: words.0.bigEndian, as: UInt64.self)
      room.storeBytes(of: words.1.bigEndian, toByteOffset: 8, as: UInt64.self)
      room.storeBytes(of: words.2.bigEndian, toByteOffset: 16, as: UInt64.self)
      room.storeBytes(of: words.3.bigEndian, toByteOffset: 24, as: UInt64.self)
      room[32] = UInt8(truncatingIfNeeded: format)
      payload.withUnsafeBytes { payload in
        UnsafeMutableRawBufferPointer(rebasing: room[33...]).copyMemory(from: payload)
      }
      var hash = SHA256()
      hash.update(UnsafeRawBufferPointer(room))
      return Chain(hash)
    }
  }

  /// The seals of edits that follow a link, in order.
  static func seal(_ edits: [RecordedEdit], after chain: Chain) -> [Seal] {
    var chain = chain
    var json = JSONWriter()
    var seals: [Seal] = []
    seals.reserveCapacity(edits.count)
    for edit in edits {
      json.removeAll()
      edit.write(to: &json)
      let payload = json.bytes
      chain = next(after: chain, format: payloadFormat, payload: payload)
      seals.append(Seal(chain: chain, payload: payload))
    }
    return seals
  }
}

extension Chain {
  fileprivate init(_ hash: consuming SHA256) {
    self = hash.withDigest { bytes in
      let word = { (index: Int) in
        UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8 * index, as: UInt64.self))
      }
      return Chain(words: (word(0), word(1), word(2), word(3)))
    }
  }
}
