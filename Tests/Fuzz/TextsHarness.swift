import GoalsCore
import HTTP

@testable import GoalsService

extension Harness {
  /// A text that stands for one value: a cursor, an entity tag, an instant, a day, an id, a name, a
  /// query.
  ///
  /// What is read prints as a text that reads as the same. Cursors, tags and zones' names, which
  /// are compared as they were sent, have one text only.
  static let texts = Harness(name: "texts") { bytes in
    let text = String(decoding: bytes, as: UTF8.self)
    if let cursor = Cursor(text) {
      try claim(cursor.description == text, "a cursor has two texts")
      try claim(
        EntityTag.head(of: "\"\(text)~-\"") == cursor.head,
        "a tag holds another place than its cursor")
    }
    if let head = EntityTag.head(of: text) {
      try claim(head.version.number >= 0 && text.hasPrefix("\""), "a tag that is none")
    }
    try readsBack(Instant(text)) { Instant($0.description) }
    try readsBack(Day(text)) { Day($0.description) }
    try readsBack(DayStart(text)) { DayStart($0.description) }
    try readsBack(Edit.ID(text)) { Edit.ID($0.description) }
    try readsBack(Colour(text)) { Colour($0.description) }
    try readsBack(Title(text)) { Title($0.text) }
    try readsBack(GoalUnit(text)) { GoalUnit($0.text) }
    try readsBack(Note(text)) { Note($0.text) }
    try readsBack(Origin(text)) { Origin($0.description) }
    if let name = ZoneName(text) {
      let parts = name.text.split(separator: "/", omittingEmptySubsequences: false)
      try claim(
        name.text == text && parts.allSatisfy { !$0.isEmpty && $0 != "." && $0 != ".." },
        "a zone's name leads out of its folder")
    }
    try readQuery(text)
    _ = MediaType(text)
  }
}

private func readsBack<Value: Equatable>(
  _ value: Value?, _ again: (Value) -> Value?
) throws(Broken) {
  guard let value else { return }
  try claim(again(value) == value, "\(value) reads as another")
}

/// Reads a target's query as the operations do.
private func readQuery(_ text: String) throws(Broken) {
  guard let target = Target("/?" + text) else { return }
  var query = Query(target.query, known: ["active", "from", "limit", "version", "after"])
  let flag = query.flag("active")
  let day = query.day("from")
  let limit = query.integer("limit", in: 1...1000)
  let version = query.version("version")
  let cursor = query.cursor("after")
  let read = [flag != nil, day != nil, limit != nil, version != nil, cursor != nil]
  try claim(
    read.count { $0 } + query.faults.count >= min(target.query.count, 1),
    "a query is neither read nor refused")
  try claim(limit.map { (1...1000).contains($0) } ?? true, "a limit outside of its range")
}
