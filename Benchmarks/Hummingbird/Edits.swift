import Foundation
import Hummingbird

/// The body of `POST /v1/edits`.
struct EditBatch: Decodable {
  let edits: [Bump]
}

struct Bump: Decodable {
  enum Kind: String, Decodable { case bump }

  let id: UUID
  let type: Kind
  let goal: UUID
  let by: Int?
  let at: Date?
  let note: String?

  var increment: Int { by ?? 1 }

  /// Why it can't be recorded whatever is in the database; nil where it may be.
  func fault(at now: Date) -> String? {
    guard increment != 0, (-1_000_000...1_000_000).contains(increment) else { return "invalid" }
    if let note, note.unicodeScalars.count > 500 { return "invalid" }
    if let at, at > now.addingTimeInterval(300) { return "in-future" }
    if let at, at < Date(timeIntervalSince1970: 946_684_800) { return "too-old" }
    return nil
  }
}

struct Outcome: Encodable {
  enum Status: String, Encodable { case applied, duplicate, rejected }

  let id: UUID
  let status: Status
  var version: Int64?
  var code: String?
}

struct EditAnswer: ResponseEncodable {
  let version: Int64
  let outcomes: [Outcome]
}

/// What the stream tells of an edit.
struct RecordedBump: Encodable {
  let id: UUID
  var type = "bump"
  let goal: UUID
  let by: Int
  let note: String?
  let at: Date
  let version: Int64
  let recordedAt: Date
  let device: String
  let day: String
}

/// What came of a request, once it is durable.
struct Commit {
  let account: Int64
  let answer: EditAnswer
  let recorded: [RecordedBump]
}
