/// How much of a request is read, in bytes unless another unit is named.
package struct MessageLimits: Sendable, Equatable {
  /// The request line, without its line end. A longer one is refused as a target that is too long.
  /// RFC 9112 §3 recommends at least 8000.
  package var requestLine = 8192
  /// All field lines with their line ends, trailer fields included.
  package var headerBytes = 16384
  /// The number of fields, trailer fields included.
  package var headerFields = 100
  /// The body, unless the handler admits another size. A batch of 1000 edits fits.
  package var body = 4_194_304
  /// The beginning of the paths in which a segment may hold an encoded slash; nil for none. An
  /// encoded slash is refused everywhere else.
  package var pathOfSlashes: String?

  package init() {}

  /// One chunk-size line. Nobody uses chunk extensions, but RFC 9112 §7.1.1 has them.
  static let chunkLine = 256
  /// All chunk extensions of one request, so that they cannot outweigh the body.
  static let chunkExtensions = 4096
  /// The number of empty lines that are skipped before a request line (RFC 9112 §2.2: at least
  /// one).
  static let emptyLines = 4
}
