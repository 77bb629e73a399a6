/// A check that takes any bytes, and says where a promise is broken. libFuzzer makes bytes up for
/// it (`scripts/fuzz`); `ReplayTests` gives it those of the folder of its name in `corpus`.
struct Harness: Sendable {
  let name: String
  let run: @Sendable ([UInt8]) throws -> Void

  static let all = [
    requests, json, edits, texts, credentials, archive, zones, decisions, engine,
  ]
}

/// A promise that an input has broken.
struct Broken: Error, CustomStringConvertible {
  let description: String
}

func claim(_ holds: Bool, _ fault: @autoclosure () -> String) throws(Broken) {
  if !holds { throw Broken(description: fault()) }
}

/// Chooses by the bytes of an input; where they end, always the first of what there is.
struct Choices {
  private var rest: ArraySlice<UInt8>

  init(_ bytes: [UInt8]) { rest = bytes[...] }

  var isOver: Bool { rest.isEmpty }

  mutating func byte() -> UInt8 { rest.popFirst() ?? 0 }

  /// 0 up to, and without, an end of at most 65,536.
  mutating func number(below end: Int) -> Int {
    let low = Int(byte())
    return (end > 256 ? Int(byte()) << 8 | low : low) % max(end, 1)
  }

  mutating func chance(in count: Int) -> Bool { number(below: count) == count - 1 }

  mutating func one<Value>(of values: [Value]) -> Value { values[number(below: values.count)] }
}
