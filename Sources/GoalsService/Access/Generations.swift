/// Values by their keys, as many as fit: for more of them, those are forgotten that were changed
/// longest ago, up to half of all at a time.
///
/// Two generations, each of half the size. What is changed moves to the young one; when that is
/// full it becomes the old one, and what was old is gone. So a value outlasts at least as many
/// changes of others as there may be values in one of the two.
struct Generations<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  private let half: Int
  private var young: [Key: Value] = [:]
  private var old: [Key: Value] = [:]

  /// - Parameter maximum: at least 2.
  init(maximum: Int) { half = max(maximum / 2, 1) }

  /// How many are known.
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
