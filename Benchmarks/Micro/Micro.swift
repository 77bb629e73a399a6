/// What the parts of a request cost by themselves, in this process: no socket, no disk.
///
/// Writes a line of JSON for each part: its name, and the median, lowest and highest nanoseconds of
/// an operation over several samples. `goals-micro decide` measures those whose names contain the
/// word; `goals-micro worst` measures the list of the account that takes longest, and nothing else,
/// and `goals-micro device` what a device does that counts by itself, with the bytes of its syncs.
@main struct Micro {
  static func main() throws {
    let words = CommandLine.arguments.dropFirst()
    for part in try parts(words.first)
    where words.isEmpty || words.contains(where: part.name.contains) {
      print(part.measure().line(named: part.name))
    }
    guard words.first == "device" else { return }
    for (name, bytes) in try Device().sizes() {
      print(#"{"name": "\#(name)", "bytes": \#(bytes)}"#)
    }
  }

  private static func parts(_ word: String?) throws -> [Part] {
    switch word {
    case "worst": try WorstAccount().parts()
    case "device": try Device().parts()
    // NB: open, a text
    default: try requestParts()
    }
  }

  private static func requestParts() throws -> [Part] {
    let sample = try Sample()
    return try sample.requestParts() + sample.decisionParts() + sample.answerParts()
  }
}

/// Something to be done over and over.
struct Part {
  let name: String
  /// How many operations one call of `body` comes to.
  var operations = 1
  let body: () -> Void

  /// Long enough that reading the clock does not count.
  private static let sampleTime = Duration.milliseconds(20)
  private static let samples = 15

  func measure() -> Measurement {
    var calls = 1
    while time(calls) < Self.sampleTime { calls *= 2 }
    let nanoseconds = (0..<Self.samples).map { _ in
      time(calls) / .nanoseconds(1) / Double(calls * operations)
    }
    return Measurement(sorted: nanoseconds.sorted())
  }

  private func time(_ calls: Int) -> Duration {
    ContinuousClock().measure { for _ in 0..<calls { body() } }
  }
}

/// Nanoseconds of an operation, in each sample, in order.
struct Measurement {
  let sorted: [Double]

  func line(named name: String) -> String {
    let median = sorted[sorted.count / 2]
    let low = sorted.first ?? 0
    let high = sorted.last ?? 0
    return #"{"name": "\#(name)", "median": \#(median), "low": \#(low), "high": \#(high)}"#
  }
}

/// Keeps the optimizer from leaving out what nobody reads.
@_optimize(none) func keep<Value>(_ value: Value) {}
