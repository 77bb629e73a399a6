import TestSupport
import Testing

@testable import ChangePropagation

@Suite("A random network")
struct RandomNetworkTests {
  @Test("tells whom, what and when the model says")
  func againstTheModel() {
    var calls = 0
    for seed in SeededDice.seeds(200) {
      var writer = ScriptWriter(seed: seed)
      let script = writer.script()
      let network = ChangeNetwork()
      let real = network.sync { Player(RealWorld(on: network)).play(script) }
      let model = Player(ModelWorld()).play(script)
      calls += model.count
      guard real == model else {
        let place = zip(real, model).prefix { $0 == $1 }.count
        Issue.record(
          """
          GOALS_TEST_SEED=\(seed): differs from the model at \(place):
          network \(real.dropFirst(place).prefix(5)), model \(model.dropFirst(place).prefix(5))
          \(script.map { "\($0)" }.joined(separator: "\n"))
          """)
        return
      }
    }
    if SeededDice.fixedSeed == nil {
      #expect(calls > 5_000, "scripts that do next to nothing prove nothing")
    }
  }
}

/// Plays a script on a world and keeps the log of what happened.
private final class Player {
  private let world: any World
  private var log: [String] = []
  private var reactions: [Int: Reaction] = [:]
  private var callCounts: [Int: Int] = [:]
  private var observerCount = 0
  /// Merges of merges multiply; a script is long enough when it has made this many entries.
  private let limit = 1_000

  init(_ world: any World) {
    self.world = world
  }

  func play(_ script: [Step]) -> [String] {
    world.called = { [unowned self] observer, value in called(observer, value) }
    for step in script {
      take(step)
      log.append("- \(currentValues())")
    }
    return log
  }

  private func called(_ observer: Int, _ value: Int) {
    log.append("o\(observer)=\(value) \(currentValues())")
    let count = callCounts[observer, default: 0] + 1
    callCounts[observer] = count
    guard let reaction = reactions[observer], reaction.call == count else { return }
    reaction.steps.forEach(take)
    log.append("o\(observer) done")
  }

  private func currentValues() -> [Int] {
    (0..<world.streamCount).filter(world.isChanging).map(world.current)
  }

  private func take(_ step: Step) {
    guard log.count < limit else { return }
    switch step {
    case .announce(let source, let value):
      world.announce(on: source % 3, value)
    case .observe(let stream, let context, let reaction):
      let stream = stream % world.streamCount
      guard world.holds(stream) else { return }
      reactions[observerCount] = reaction
      observerCount += 1
      world.observe(stream, context: context % 8, as: observerCount - 1)
    case .drop(let context):
      world.drop(context: context % 8)
    case .derive(let derivation):
      guard world.streamCount < 16 else { return }
      world.derive(resolve(derivation))
    case .release(let stream):
      let stream = stream % world.streamCount
      if stream >= 3 { world.release(stream) }
    case .disable(let observer, let steps):
      guard observerCount > 0 else { return }
      world.disable(observer % observerCount) { steps.forEach(take) }
    }
  }

  /// The derivation with its numbers made those of streams; those of changing values, where it
  /// needs them and there are any.
  private func resolve(_ derivation: Derivation) -> Derivation {
    let changing = (0..<world.streamCount).filter(world.isChanging)
    let any = { [world] (number: Int) in number % world.streamCount }
    let value = { (number: Int) in changing.isEmpty ? 0 : changing[number % changing.count] }
    switch derivation {
    case .map(let source, let plus): return .map(any(source), plus: plus)
    case .filter(let source, let factor): return .filter(any(source), multiplesOf: factor)
    case .merge(let left, let right): return .merge(any(left), any(right))
    case .mergeEither(let left, let right): return .mergeEither(any(left), any(right))
    case .accumulate(let source): return .accumulate(any(source))
    case .accumulateInto(let source): return .accumulateInto(any(source))
    case .mapChanging(let source, let plus): return .mapChanging(value(source), plus: plus)
    case .combine(let left, let right): return .combine(value(left), value(right))
    }
  }
}
