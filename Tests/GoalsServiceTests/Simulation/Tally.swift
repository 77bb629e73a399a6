/// How often what happened.
struct Tally: CustomStringConvertible {
  private(set) var counts: [String: Int] = [:]

  mutating func count(_ what: String, _ times: Int = 1) { counts[what, default: 0] += times }

  mutating func count(_ asked: Asked, _ answer: Answered) {
    count("\(asked.operation)")
    count("\(answer.status)\(answer.code.map { " \($0)" } ?? "")")
    if answer.more == true { count("more") }
    for outcome in answer.outcomes { count(outcome.code ?? outcome.status) }
  }

  mutating func add(_ other: Tally) { counts.merge(other.counts, uniquingKeysWith: +) }

  var description: String {
    counts.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }.joined(separator: ", ")
  }
}
