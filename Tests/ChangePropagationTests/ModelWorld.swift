/// The promises of the library, in the plainest way: numbers instead of references, one flat list
/// of who listens to what, and liveness looked up each time.
final class ModelWorld: World {
  private struct Stream {
    var kind: Derivation?
    var sources: [Int] = []
    var rank = 0
    var value: Int?
    var isHeld = true
    /// How many calls under way keep it alive.
    var uses = 0
  }

  private enum Listener {
    case observer(Int, context: Int)
    case stream(Int, isRight: Bool)
  }

  private struct Turn {
    var source: Int
    var value: Int
    var muted: [Int]
  }

  var called: (Int, Int) -> Void = { _, _ in }
  private var streams = Array(repeating: Stream(), count: 3)
  private var listeners: [(stream: Int, listener: Listener)] = []
  /// The observers whose registration is over, so that there is an observation to disable.
  private var known: Set<Int> = []
  /// A context's incarnation: dropped and taken again, it is another.
  private var contexts: [Int: Int] = [:]
  private var contextUses: [Int: Int] = [:]
  private var incarnations = 0
  private var waiting: [Turn] = []
  private var isTurning = false
  private var stale: [Int] = []
  private var muting: [Int] = []
  private var muted: [Int] = []

  var streamCount: Int { streams.count }

  func holds(_ stream: Int) -> Bool { streams[stream].isHeld }

  func isChanging(_ stream: Int) -> Bool { streams[stream].isHeld && streams[stream].value != nil }

  func current(_ stream: Int) -> Int { streams[stream].value ?? -1 }

  func announce(on source: Int, _ value: Int) {
    waiting.append(Turn(source: source, value: value, muted: muting))
    if !isTurning { turn {} }
  }

  func observe(_ stream: Int, context number: Int, as observer: Int) {
    if contexts[number] == nil {
      incarnations += 1
      contexts[number] = incarnations
    }
    guard let context = contexts[number] else { return }
    defer { known.insert(observer) }
    listeners.append((stream, .observer(observer, context: context)))
    guard let value = streams[stream].value else { return }
    streams[stream].uses += 1
    contextUses[context, default: 0] += 1
    if isTurning { called(observer, value) } else { turn { called(observer, value) } }
    contextUses[context, default: 0] -= 1
    streams[stream].uses -= 1
  }

  func drop(context: Int) {
    contexts[context] = nil
  }

  func release(_ stream: Int) {
    streams[stream].isHeld = false
  }

  func disable(_ observer: Int, in body: () -> Void) {
    guard known.contains(observer) else { return body() }
    muting.append(observer)
    body()
    muting.removeLast()
  }

  func derive(_ kind: Derivation) {
    var new = Stream(kind: kind)
    switch kind {
    case .map(let source, _), .filter(let source, _): new.sources = [source]
    case .merge(let left, let right), .mergeEither(let left, let right):
      new.sources = [left, right]
    case .accumulate(let source), .accumulateInto(let source):
      new.sources = [source]
      new.value = 0
    case .mapChanging(let source, let plus):
      new.sources = [source]
      new.value = streams[source].value.map { $0 + plus }
      new.isHeld = isChanging(source)
    case .combine(let left, let right):
      new.sources = [left, right]
      if let left = streams[left].value, let right = streams[right].value {
        new.value = Functions.combine(left, right)
      }
      new.isHeld = isChanging(left) && isChanging(right)
    }
    new.isHeld = new.isHeld && new.sources.allSatisfy { streams[$0].isHeld }
    new.rank = new.sources.map { streams[$0].rank }.max() ?? 0
    if case .combine = kind { new.rank += 1 }
    streams.append(new)
    guard new.isHeld else { return }
    for (index, source) in new.sources.enumerated() {
      listeners.append((source, .stream(streams.count - 1, isRight: index == 1)))
    }
  }

  private func turn(_ first: () -> Void) {
    let restored = muting
    muting = []
    isTurning = true
    first()
    while !waiting.isEmpty {
      let turn = waiting.removeFirst()
      muted = turn.muted
      tell(turn.source, turn.value)
      while let next = stale.min(by: { streams[$0].rank < streams[$1].rank }) {
        stale.removeAll { $0 == next }
        settle(next)
      }
      muted = []
    }
    isTurning = false
    muting = restored
  }

  private func tell(_ stream: Int, _ value: Int) {
    streams[stream].uses += 1
    for entry in listeners where entry.stream == stream {
      switch entry.listener {
      case .observer(let observer, let context):
        if isAlive(context: context) && !muted.contains(observer) {
          contextUses[context, default: 0] += 1
          called(observer, value)
          contextUses[context, default: 0] -= 1
        }
      case .stream(let next, let isRight):
        if isAlive(stream: next) { hear(next, value, isRight: isRight) }
      }
    }
    streams[stream].uses -= 1
  }

  private func hear(_ stream: Int, _ value: Int, isRight: Bool) {
    guard let kind = streams[stream].kind else { return }
    switch kind {
    case .map(_, let plus): tell(stream, value + plus)
    case .filter(_, let factor): if value.isMultiple(of: factor) { tell(stream, value) }
    case .merge: tell(stream, value)
    case .mergeEither: tell(stream, isRight ? Functions.right(value) : Functions.left(value))
    case .accumulate, .accumulateInto:
      become(stream, Functions.accumulate(value, streams[stream].value ?? 0))
    case .mapChanging(_, let plus): become(stream, value + plus)
    case .combine: if !stale.contains(stream) { stale.append(stream) }
    }
  }

  private func settle(_ stream: Int) {
    guard isAlive(stream: stream), case .combine(let left, let right) = streams[stream].kind,
      let left = streams[left].value, let right = streams[right].value
    else { return }
    become(stream, Functions.combine(left, right))
  }

  private func become(_ stream: Int, _ value: Int) {
    streams[stream].value = value
    tell(stream, value)
  }

  private func isAlive(stream: Int) -> Bool {
    streams[stream].isHeld || streams[stream].uses > 0
      || streams.indices.contains { streams[$0].sources.contains(stream) && isAlive(stream: $0) }
  }

  private func isAlive(context: Int) -> Bool {
    contextUses[context, default: 0] > 0 || contexts.values.contains(context)
  }
}
