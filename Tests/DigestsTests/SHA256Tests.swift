import Digests
import Testing

@Suite("A digest by SHA-256") struct SHA256Tests {
  @Test(
    "is that of NIST's examples",
    arguments: [
      ("", 1, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
      ("abc", 1, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
      (
        "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 1,
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
      ),
      ("a", 1_000_000, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"),
    ])
  func examples(_ text: String, _ times: Int, _ expected: String) {
    let digest = SHA256.digest(of: String(repeating: text, count: times).utf8)
    let digits = digest.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    #expect(digits == expected)
  }

  @Test("is the same in pieces, whatever holds them", arguments: [1, 63, 64, 65, 1000])
  func pieces(_ size: Int) {
    let bytes = (0..<5000).map { UInt8(truncatingIfNeeded: $0) }
    var hash = SHA256()
    hash.update([UInt8]())
    for start in stride(from: 0, to: bytes.count, by: size) {
      let piece = bytes[start...].prefix(size)
      // Half of them are contiguous in memory.
      if start % 2 == 0 { hash.update(piece) } else { hash.update(piece.lazy.map { $0 }) }
    }
    #expect(hash.digest() == SHA256.digest(of: bytes))
  }

  @Test("goes on apart from that of a copy")
  func copies() {
    var hash = SHA256()
    hash.update(Array("ab".utf8))
    var copy = hash
    copy.update(Array("x".utf8))
    hash.update(Array("c".utf8))
    #expect(hash.digest() == SHA256.digest(of: Array("abc".utf8)))
    #expect(copy.digest() == SHA256.digest(of: Array("abx".utf8)))
  }
}
