/// How much of a request is read, in bytes where nothing else is said.
package struct MessageLimits: Sendable, Equatable {
  /// Of the request line, without its line end: past it the target is too long. 8192 is what
  /// RFC 9112 §3 recommends as the least.
  package var requestLine = 8192
  /// Of all field lines with their line ends, trailer fields included.
  package var headerBytes = 16384
  /// How many fields, trailer fields included.
  package var headerFields = 100
  /// Of the body, unless the handler admits another size: a batch of 1000 edits has room.
  package var body = 4_194_304

  package init() {}

  /// Of one chunk-size line: nobody uses chunk extensions, but RFC 9112 §7.1.1 has them.
  static let chunkLine = 256
  /// Of all chunk extensions of one request, so that they cannot outweigh the body.
  static let chunkExtensions = 4096
  /// How many empty lines before a request line are skipped (RFC 9112 §2.2 asks for at least one).
  static let emptyLines = 4
}
