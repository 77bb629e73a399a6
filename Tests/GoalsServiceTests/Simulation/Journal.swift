import GoalsCore

/// What happened lately, to be read where something went wrong.
struct Journal: CustomStringConvertible {
  enum Occurrence {
    case sent(Asked, copies: Int)
    case answered(Asked, Answered, version: Int)
    case received(Asked, Answered)
    case deviceRestarted(Int)
    case serverRestarted(isCrash: Bool)
    case backedUp(version: Int)
    case restored(version: Int)
    case commitFails
  }

  /// How many are kept.
  private static let limit = 40

  private var lines: [(at: Instant, what: Occurrence)] = []

  mutating func note(_ what: Occurrence, at instant: Instant) {
    if lines.count >= 2 * Self.limit { lines.removeFirst(Self.limit) }
    lines.append((instant, what))
  }

  var description: String {
    lines.suffix(Self.limit).map { "\($0.at) \($0.what)" }.joined(separator: "\n")
  }
}

extension Journal.Occurrence: CustomStringConvertible {
  var description: String {
    switch self {
    case .sent(let asked, let copies): "device \(asked.device) sends \(asked), \(copies)×"
    case .answered(let asked, let answer, let version):
      "the server, now at \(version), answers device \(asked.device)'s \(asked): \(answer)"
    case .received(let asked, let answer):
      "device \(asked.device) learns of \(asked.operation): \(answer.status)"
    case .deviceRestarted(let number): "device \(number) is restarted"
    case .serverRestarted(let isCrash): isCrash ? "the server crashes" : "the server is restarted"
    case .backedUp(let version): "version \(version) is backed up"
    case .restored(let version): "version \(version) is restored"
    case .commitFails: "the next commit fails"
    }
  }
}

extension Asked: CustomStringConvertible {
  var description: String {
    let more = [
      after.map { "after \($0)" }, isAtomic ? "atomic" : nil, ifVersion.map { "if \($0)" },
      edits.isEmpty ? nil : edits.map(\.json).joined(separator: " "),
    ]
    return (["\(operation)"] + more.compactMap(\.self)).joined(separator: " ")
  }
}

extension Answered: CustomStringConvertible {
  var description: String {
    let ends = outcomes.map { outcome in
      "\(outcome.code ?? outcome.status)\(outcome.version.map { " \($0)" } ?? "")"
    }
    let page = cursor.map { "\(edits.count) edits to \($0)" + (more == true ? " and more" : "") }
    return ["\(status)", code, page].compactMap(\.self).joined(separator: " ") + " \(ends)"
  }
}
