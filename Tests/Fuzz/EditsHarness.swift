import GoalsCore
import GoalsWire
import JSON

@testable import GoalsService

extension Harness {
  /// A body of JSON, read as every kind of body there is.
  ///
  /// Every batch that can be read can be decided. The recorded edits and the outcomes are JSON that
  /// reads back as the same. Every fault has a JSON pointer.
  static let edits = Harness(name: "edits") { bytes in
    guard let document = try? JSONDocument(parsing: bytes) else { return }
    let value = document.root
    let reader = ProposalReader { Goal.ID(high: 0, low: 9) }
    switch BatchBody.read(value, edits: 0...1000, by: reader) {
    case .valid(let body): try decideBatch(body)
    case .invalid(let faults): try check(faults)
    }
    try checkFaults(of: Goal.read(value, id: .required))
    try checkFaults(of: Goal.readWithActivity(value, id: .required))
    try checkFaults(of: Goal.read(value, id: .optional(otherwise: Goal.ID(high: 0, low: 1))))
    try checkFaults(of: Activity.read(value, at: .root))
    try checkFaults(of: AskedToken.read(value, at: Instant(milliseconds: 0)))
    var object = ObjectReader(value)
    _ = CalendarSettings.Changes.readPatch(from: &object, defaults: .initial)
    try check(object.finish())
    if let payload = RecordedPayload(value),
      let edit = payload.with(reversal: { _ in
        payload.impliedReversal ?? Reversal(.setActivity([:]))
      })
    {
      try claim(
        RecordedPayload(text(of: edit)) == payload, "a payload is another when it is written")
    }
  }
}

/// An account with two goals, of which the first is active, at version 3.
private let account: (state: AccountState, recorded: [RecordedEdit]) = {
  var state = AccountState()
  var log: [RecordedEdit] = []
  let goals = (1...2).compactMap { number in
    Title("Goal").map { Goal(id: Goal.ID(high: 0, low: number), title: $0) }
  }
  let edits =
    goals.map { Edit(.add($0)) }
    + [Edit(.setActivity(.keyed([Goal.ID(high: 0, low: 1): true])))]
  for (place, edit) in edits.enumerated() {
    let proposed = ProposedEdit(id: Edit.ID(high: 0, low: UInt64(place + 1)), edit: edit)
    let circumstances = Circumstances(now: noon, zones: .mock, recorded: RecordedEdits(log))
    if case .record(let recorded) = state.judge(proposed, from: "x", by: circumstances) {
      state = recorded.transform(state)
      log.append(recorded)
    }
  }
  return (state, log)
}()

/// 2026-11-20T12:00:00Z.
private let noon = Instant(seconds: 1_795_176_000)

private func decideBatch(_ body: BatchBody) throws(Broken) {
  for case .refused(let rejection, _, _) in body.proposals { try check(rejection.faults) }
  let batch = Batch(
    device: "y", proposals: body.proposals, isAtomic: body.isAtomic,
    precondition: body.ifVersion.map { .version($0) })
  let ruling = account.state.judge(
    batch, chain: nil,
    by: Circumstances(now: noon, zones: .mock, recorded: RecordedEdits(account.recorded)))
  for outcome in ruling.outcomes {
    try claim((try? JSONDocument(parsing: text(of: outcome))) != nil, "an outcome is no JSON")
  }
  for edit in ruling.recorded {
    guard let payload = RecordedPayload(text(of: edit)) else {
      throw Broken(description: "what is recorded can't be read again")
    }
    try claim(
      payload.with(undone: edit.undone, reversal: { _ in edit.reversal }) == edit,
      "what is recorded is another when it is read")
    let kept = payload.impliedReversal
    try claim(
      kept == nil || edit.undone != nil || kept == edit.reversal, "its payload implies another undo"
    )
  }
}

private func text(of value: some JSONWritable) -> [UInt8] {
  var json = JSONWriter()
  value.write(to: &json)
  return json.bytes
}

private func checkFaults<Value>(of read: Validated<Value>) throws(Broken) {
  if case .invalid(let faults) = read { try check(faults) }
}

/// RFC 6901 §3: empty, or parts that each begin with a slash; a tilde is followed by 0 or 1.
private func check(_ faults: [Fault]) throws(Broken) {
  try claim(faults.count <= [Fault].maximumTold + 1, "more faults than are told")
  for fault in faults {
    let pointer = Array(fault.pointer.utf8)
    try claim(pointer.first.map { $0 == UInt8(ascii: "/") } ?? true, "no pointer: \(fault.pointer)")
    for place in pointer.indices where pointer[place] == UInt8(ascii: "~") {
      let digits = [UInt8(ascii: "0"), UInt8(ascii: "1")]
      let isEscape = place + 1 < pointer.count && digits.contains(pointer[place + 1])
      try claim(isEscape, "no pointer: \(fault.pointer)")
    }
    try claim(!fault.detail.isEmpty, "a fault says nothing")
  }
}
