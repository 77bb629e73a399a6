import GoalsCore
import GoalsStore

/// Something that happened which whoever runs the server may want to know. It never holds a token,
/// a title or a note.
package enum Happening: Hashable, Sendable {
  case store(StoreEvent)
  /// Edits of an account were recorded, the last of them as this version.
  case recorded(Account.ID, edits: Int, version: GoalsCore.Version)
  /// A request failed in a way that should not be; its id was told to the client.
  case failed(requestID: String, operation: String)
  case started(listeners: [String])
  case draining
  case stopped
}
