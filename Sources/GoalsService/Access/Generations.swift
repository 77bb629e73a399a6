/// Values by their keys, up to a maximum. Beyond it, the values that were changed longest ago are
/// forgotten, up to half of all at a time.
///
/// There are two generations, each of half the size. A value that is changed moves to the young
/// one. When the young one is full, it becomes the old one, and the old values are gone. So a value
/// outlasts the changes of at least half as many others as there may be values.
struct Generations<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  private let half: Int
  private var young: [Key: Value] = [:]
  private var old: [Key: Value] = [:]

  /// - Parameter maximum: at least 2.
  init(maximum: Int) { half = max(maximum / 2, 1) }

  var count: Int { young.count + old.count }

  /// Changes the value under a key, a new one where none is known.
  mutating func change<Result>(
    _ key: Key, or new: @autoclosure () -> Value, _ body: (inout Value) -> Result
  ) -> Result {
    // One look for a key that is used often.
    if let index = young.index(forKey: key) { return body(&young.values[index]) }
    var value = old.removeValue(forKey: key) ?? new()
    defer {
      if young.count >= half { (young, old) = ([:], young) }
      young[key] = value
    }
    return body(&value)
  }
}
