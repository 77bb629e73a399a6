/// A file of the page for people: a module, a picture, a document, or the engine that decides.
package struct PageFile: Sendable {
  /// Without its folder.
  package let name: String
  package let bytes: [UInt8]
  /// Compressed, in the format of gzip (RFC 1952).
  package let gzip: [UInt8]
  /// Compressed, in the format of Brotli (RFC 7932).
  package let brotli: [UInt8]

  package init(name: String, bytes: [UInt8], gzip: [UInt8], brotli: [UInt8]) {
    self.name = name
    self.bytes = bytes
    self.gzip = gzip
    self.brotli = brotli
  }

  /// All there are, by name. `goals.wasm` is among them where it was built before the program.
  package static let all = EmbeddedFile.all.map {
    PageFile(name: $0.name, bytes: $0.bytes, gzip: $0.gzip, brotli: $0.brotli)
  }
}
