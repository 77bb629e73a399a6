#if canImport(CryptoKit)
import CryptoKit
#else
import CNettle
#endif

/// A digest by SHA-256 (FIPS 180-4), of bytes that may come in pieces.
package struct SHA256 {
  #if canImport(CryptoKit)
  private var state = CryptoKit.SHA256()
  #else
  private var state = sha256_ctx()
  #endif

  package init() {
    #if !canImport(CryptoKit)
    nettle_sha256_init(&state)
    #endif
  }

  /// The digest of these bytes.
  package static func digest(of bytes: some Collection<UInt8>) -> [UInt8] {
    var hash = SHA256()
    hash.update(bytes)
    return hash.digest()
  }

  package mutating func update(_ bytes: some Collection<UInt8>) {
    if bytes.withContiguousStorageIfAvailable({ update(UnsafeRawBufferPointer($0)) }) == nil {
      Array(bytes).withUnsafeBytes { update($0) }
    }
  }

  package mutating func update(_ bytes: UnsafeRawBufferPointer) {
    #if canImport(CryptoKit)
    state.update(bufferPointer: bytes)
    #else
    // Nettle takes no null pointer, which empty bytes may have.
    guard let start = bytes.baseAddress else { return }
    nettle_sha256_update(&state, bytes.count, start.assumingMemoryBound(to: UInt8.self))
    #endif
  }

  /// The digest of all bytes so far. Nothing is hashed after it.
  package consuming func digest() -> [UInt8] { withDigest { Array($0) } }

  /// Hands the 32 bytes of the digest over, without an array for them.
  package consuming func withDigest<Result>(
    _ body: (UnsafeRawBufferPointer) throws -> Result
  ) rethrows -> Result {
    #if canImport(CryptoKit)
    return try state.finalize().withUnsafeBytes(body)
    #else
    return try withUnsafeTemporaryAllocation(byteCount: Int(SHA256_DIGEST_SIZE), alignment: 8) {
      digest in
      cnettle_sha256_digest(&state, digest.baseAddress?.assumingMemoryBound(to: UInt8.self))
      return try body(UnsafeRawBufferPointer(digest))
    }
    #endif
  }
}
