import GoalsStore
import HTTPServer

/// A body that is made piece by piece, so that none of any size is ever held whole.
package struct Pieces: Sendable {
  /// The next piece; nil after the last. It is asked for one at a time, and may read the disk.
  let next: @Sendable () throws(StoreError) -> [UInt8]?

  init(_ next: @escaping @Sendable () throws(StoreError) -> [UInt8]?) { self.next = next }

  /// Writes what is left, each piece once the system has taken the one before; `perform` has it made. Where
  /// a piece can't be made, or the client may have no more, the stream is cut off, so that nobody takes what
  /// came for all.
  func send(
    over stream: ResponseStream,
    by perform: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void,
    while isWanted: @escaping @Sendable () -> Bool,
    failed: @escaping @Sendable (StoreError) -> Void
  ) {
    perform {
      guard stream.isOpen else { return }
      guard isWanted() else { return stream.cutOff() }
      do throws(StoreError) {
        guard let piece = try next() else { return stream.end() }
        stream.write(piece) {
          send(over: stream, by: perform, while: isWanted, failed: failed)
        }
      } catch {
        failed(error)
        stream.cutOff()
      }
    }
  }
}
