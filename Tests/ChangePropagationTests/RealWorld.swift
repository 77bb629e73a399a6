import ChangePropagation

/// The library.
///
/// `@unchecked Sendable`: everything of a player and its world happens in one `sync` of the
/// network; the observers, who must be `Sendable`, are called within it.
final class RealWorld: World, @unchecked Sendable {
  private final class Context: Sendable {}

  private enum Handle {
    case stream(Outlet<Int>)
    case changing(Changing<Int>)

    var outlet: Outlet<Int> {
      switch self {
      case .stream(let outlet): outlet
      case .changing(let changing): changing.outlet
      }
    }
  }

  var called: (Int, Int) -> Void = { _, _ in }
  private let sources: [Changes<Int>]
  private var handles: [Handle?]
  private var contexts: [Int: Context] = [:]
  private var observations: [Int: ObservationHandle] = [:]

  init(on network: ChangeNetwork) {
    let sources = (0..<3).map { _ in Changes<Int>(on: network) }
    self.sources = sources
    handles = sources.map { .stream($0.outlet) }
  }

  var streamCount: Int { handles.count }

  func holds(_ stream: Int) -> Bool { handles[stream] != nil }

  func isChanging(_ stream: Int) -> Bool { changing(stream) != nil }

  func announce(on source: Int, _ value: Int) {
    sources[source].announce(value)
  }

  func observe(_ stream: Int, context number: Int, as observer: Int) {
    let context = contexts[number] ?? Context()
    contexts[number] = context
    let tell: @Sendable (Context, Int) -> Void = { [self] _, value in called(observer, value) }
    switch handles[stream] {
    case .stream(let outlet):
      observations[observer] = outlet.observe(withContext: context, tell)
    case .changing(let changing):
      observations[observer] = changing.observe(withContext: context, tell)
    case nil: break
    }
  }

  func drop(context: Int) {
    contexts[context] = nil
  }

  func derive(_ derivation: Derivation) {
    handles.append(handle(derivation))
  }

  func release(_ stream: Int) {
    handles[stream] = nil
  }

  func disable(_ observer: Int, in body: () -> Void) {
    if let observation = observations[observer] { observation.disable(in: body) } else { body() }
  }

  func current(_ stream: Int) -> Int { changing(stream)?.current ?? -1 }

  private func changing(_ stream: Int) -> Changing<Int>? {
    guard case .changing(let changing) = handles[stream] else { return nil }
    return changing
  }

  private func handle(_ derivation: Derivation) -> Handle? {
    let outlet = { [self] (number: Int) in handles[number]?.outlet }
    switch derivation {
    case .map(let source, let plus):
      return (outlet(source)?.map { $0 + plus }).map(Handle.stream)
    case .filter(let source, let factor):
      return (outlet(source)?.filter { $0.isMultiple(of: factor) }).map(Handle.stream)
    case .merge(let left, let right):
      guard let left = outlet(left), let right = outlet(right) else { return nil }
      return .stream(left.merge(right))
    case .mergeEither(let left, let right):
      guard let left = outlet(left), let right = outlet(right) else { return nil }
      return .stream(
        left.merge(right).map { (side: Either<Int, Int>) in
          switch side {
          case .left(let value): Functions.left(value)
          case .right(let value): Functions.right(value)
          }
        })
    case .accumulate(let source):
      return (outlet(source)?.accumulate(startingFrom: 0, Functions.accumulate))
        .map(Handle.changing)
    case .accumulateInto(let source):
      return (outlet(source)?.accumulate(into: 0) { $0 = Functions.accumulate($1, $0) })
        .map(Handle.changing)
    case .mapChanging(let source, let plus):
      return (changing(source)?.map { $0 + plus }).map(Handle.changing)
    case .combine(let left, let right):
      guard let left = changing(left), let right = changing(right) else { return nil }
      return .changing(left.combine(right, Functions.combine))
    }
  }
}
