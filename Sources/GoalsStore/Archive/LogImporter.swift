import GoalsCore
import GoalsWire
import JSON

/// Reads an export line by line, in portions.
package struct LogImporter: Sendable {
  /// The longest line, in bytes: an edit that turns every goal of the largest list has less than
  /// half.
  static let maximumLine = 1 << 20

  private(set) var calendar = CalendarSettings.initial
  private(set) var fold = LogFold(.initial)
  private(set) var chain = ChainMaker.start(.initial)
  private(set) var edits: [ImportedLog.ReadEdit] = []
  /// Each with the first line that names it.
  private(set) var timeZones: [ZoneName: Int] = [:]
  /// All of the export.
  let bytes: [UInt8]
  /// How many goals a list has at most.
  private let maximumGoals: Int
  /// Where the next line begins.
  private var start = 0
  private var isWhole = false
  private var versions: [Edit.ID: Version] = [:]
  /// Of the line at hand, from 1.
  private var line = 0

  package init(_ bytes: [UInt8], maximumGoals: Int = AccountState.maximumGoals) {
    self.bytes = bytes
    self.maximumGoals = maximumGoals
  }

  /// Reads about so many bytes on, at least a line, and answers the log once all of it is read.
  package mutating func read(bytes portion: Int) throws(ImportFault) -> ImportedLog? {
    let (limit, isBeyond) = start.addingReportingOverflow(max(1, portion))
    while start < bytes.count, isBeyond || start < limit {
      line += 1
      let end = bytes[start...].firstIndex(of: .lineFeed) ?? bytes.count
      guard !isWhole else { throw fault("something follows the last line") }
      isWhole = try read(start..<end)
      start = end + 1
    }
    if start < bytes.count { return nil }
    line += 1
    guard isWhole else { throw fault("the last line is missing: the export is not whole") }
    return ImportedLog(self)
  }

  private func fault(_ detail: String) -> ImportFault { ImportFault(line, detail) }

  private var noEdit: ImportFault { fault("this is no recorded edit") }

  /// Reads a line, and says whether it was the last.
  private mutating func read(_ range: Range<Int>) throws(ImportFault) -> Bool {
    guard range.count <= Self.maximumLine else { throw fault("the line is too long") }
    let text = Array(bytes[range])
    // White space between the tokens would be among what the chain is over, and is never written.
    guard !text.contains(where: { $0 < 0x20 }) else {
      throw fault(
        text.last == UInt8(ascii: "\r") ? "a line ends in LF alone" : "a control character is there"
      )
    }
    let value: JSONValue
    do throws(JSONError) {
      value = try JSONDocument(parsing: text).root
    } catch {
      throw fault("the line is not JSON (\(error.description.dropLast()))")
    }
    switch value.firstName {
    case _ where line == 1:
      try start(value)
    case "whole"?:
      try finish(value)
      return true
    case "format"?:
      throw fault("this version does not know the format of the edit")
    case _:
      try append(value, range, text)
    }
    return false
  }

  private mutating func start(_ value: JSONValue) throws(ImportFault) {
    var object = ObjectReader(value)
    guard object.required("export", .string) == ExportLine.name else {
      throw fault("this is no export of goals: its first line is another")
    }
    guard object.required("format", .integer(0...Int.max)) == ExportLine.format else {
      throw fault("this version does not know the format of the export")
    }
    let calendar = object.validated("calendar") { value, pointer in
      CalendarSettings.read(value, at: pointer)
    }
    guard object.finish().isEmpty, let calendar else {
      throw fault("the calendar can't be read")
    }
    self.calendar = calendar
    timeZones[calendar.timeZone] = line
    fold = LogFold(calendar)
    chain = ChainMaker.start(calendar)
  }

  private mutating func append(
    _ value: JSONValue, _ range: Range<Int>, _ text: [UInt8]
  ) throws(ImportFault) {
    guard let payload = RecordedPayload(value) else { throw noEdit }
    let next = fold.state.version.next
    guard payload.version == next else { throw fault("version \(next) is missing") }
    guard versions.updateValue(payload.version, forKey: payload.id) == nil else {
      throw fault("the edit's id was there before")
    }
    guard fold.state.recordedAt.map({ $0 <= payload.recordedAt }) ?? true else {
      throw fault("the edit was recorded before the one before it")
    }
    let target = try target(of: payload)
    guard let edit = fold.edit(of: payload, target: target) else { throw noEdit }
    if let refutation = fold.state.refutation(
      of: edit, among: fold.recorded(target), maximumGoals: maximumGoals)
    {
      throw fault("the edit can't have been recorded here: \(refutation.detail)")
    }
    chain = ChainMaker.next(after: chain, format: ChainMaker.payloadFormat, payload: text)
    let inverse = edit.storedInverse { version in edits.row(of: version, in: bytes) }
    edits.append(
      ImportedLog.ReadEdit(
        id: edit.id, payload: range, inverse: inverse, chain: chain,
        logBytes: (edits.last?.logBytes ?? 0)
          + LogRow.size(payload: range.count, inverse: inverse)))
    fold.apply(edit)
    if case .account(.configure(let changes)) = edit.edit, let name = changes.timeZone,
      timeZones[name] == nil
    {
      timeZones[name] = line
    }
  }

  private func target(of payload: RecordedPayload) throws(ImportFault) -> RecordedEdit? {
    guard case .account(.undo(let id)) = payload.edit else { return nil }
    guard let version = versions[id], version < payload.version else {
      throw fault("the edit takes back one that is not before it")
    }
    return edits.row(of: version, in: bytes)?.edit { edits.row(of: $0, in: bytes) }
  }

  /// What the last line says.
  struct End {
    let edits: Int
    let chain: Chain

    static func read(_ value: JSONValue) -> Validated<End> {
      var object = ObjectReader(value)
      let isWhole = object.required("whole", .flag)
      let edits = object.required("edits", .integer(0...Int.max))
      let chain = object.required("chain", .string).flatMap { Chain(hexadecimal: $0) }
      let faults = object.finish()
      guard faults.isEmpty, isWhole == true, let edits, let chain else { return .invalid(faults) }
      return .valid(End(edits: edits, chain: chain))
    }
  }

  private func finish(_ value: JSONValue) throws(ImportFault) {
    guard case .valid(let end) = End.read(value) else {
      throw fault("the last line can't be read")
    }
    guard end.edits == edits.count else {
      throw fault("\(edits.count) edits are there, and the last line tells of \(end.edits)")
    }
    guard end.chain == chain else {
      throw fault("the chain does not fit: something was changed since this was exported")
    }
  }
}

extension JSONValue {
  /// Of an object's first member.
  fileprivate var firstName: String? {
    members?.first { _ in true }.flatMap { $0.name.encodedCount <= 64 ? String($0.name) : nil }
  }
}
