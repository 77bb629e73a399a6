import TestSupport

/// What a random test does to a network: written without knowing what it will meet, so numbers of
/// streams, contexts and observers are taken modulo how many there are when a step is reached.
indirect enum Step: CustomStringConvertible {
  case announce(on: Int, Int)
  case observe(Int, context: Int, Reaction?)
  case drop(context: Int)
  case derive(Derivation)
  case release(stream: Int)
  case disable(observer: Int, [Step])

  var description: String {
    switch self {
    case .announce(let source, let value): "announce(on: \(source), \(value))"
    case .observe(let stream, let context, let reaction):
      "observe(\(stream), context: \(context), \(reaction.map { "\($0)" } ?? "nil"))"
    case .drop(let context): "drop(context: \(context))"
    case .derive(let derivation): "derive(\(derivation))"
    case .release(let stream): "release(stream: \(stream))"
    case .disable(let observer, let steps): "disable(observer: \(observer), \(steps))"
    }
  }
}

/// What an observer does when it is called for the `call`th time (from 1).
struct Reaction {
  var call: Int
  var steps: [Step]
}

enum Derivation {
  case map(Int, plus: Int)
  case filter(Int, multiplesOf: Int)
  case merge(Int, Int)
  case mergeEither(Int, Int)
  case accumulate(Int)
  case accumulateInto(Int)
  case mapChanging(Int, plus: Int)
  case combine(Int, Int)
}

/// The functions that both the network and the model are given.
enum Functions {
  static func accumulate(_ change: Int, _ soFar: Int) -> Int { (soFar * 31 + change) % 9_973 }
  static func combine(_ left: Int, _ right: Int) -> Int { (left * 7 + right * 3 + 1) % 9_973 }
  static func left(_ value: Int) -> Int { value * 2 }
  static func right(_ value: Int) -> Int { value * 2 + 1 }
}

/// Writes random scripts.
struct ScriptWriter {
  private var random: SeededDice

  init(seed: UInt64) {
    random = SeededDice(seed: seed)
  }

  mutating func script() -> [Step] {
    var steps: [Step] = []
    for _ in 0..<Int.random(in: 2...12, using: &random) { steps.append(.derive(derivation())) }
    for _ in 0..<Int.random(in: 5...40, using: &random) { steps.append(step(depth: 0)) }
    return steps
  }

  private mutating func step(depth: Int) -> Step {
    switch Int.random(in: 0..<20, using: &random) {
    case 0..<7: .announce(on: number(), Int.random(in: 0..<100, using: &random))
    case 7..<13: .observe(number(), context: number(), depth < 3 ? reaction(depth) : nil)
    case 13..<15: .drop(context: number())
    case 15: .derive(derivation())
    case 16: .release(stream: number())
    default: .disable(observer: number(), steps(depth + 1))
    }
  }

  private mutating func reaction(_ depth: Int) -> Reaction? {
    guard Bool.random(using: &random) else { return nil }
    return Reaction(call: Int.random(in: 1...3, using: &random), steps: steps(depth + 1))
  }

  private mutating func steps(_ depth: Int) -> [Step] {
    guard depth < 4 else { return [] }
    var steps: [Step] = []
    for _ in 0..<Int.random(in: 0...3, using: &random) { steps.append(step(depth: depth)) }
    return steps
  }

  private mutating func derivation() -> Derivation {
    switch Int.random(in: 0..<10, using: &random) {
    case 0: .map(number(), plus: Int.random(in: 1..<100, using: &random))
    case 1: .filter(number(), multiplesOf: Int.random(in: 1...3, using: &random))
    case 2: .merge(number(), number())
    case 3: .mergeEither(number(), number())
    case 4, 5: .accumulate(number())
    case 6: .accumulateInto(number())
    case 7: .mapChanging(number(), plus: Int.random(in: 1..<100, using: &random))
    default: .combine(number(), number())
    }
  }

  private mutating func number() -> Int { Int.random(in: 0..<1_000, using: &random) }
}
