/// How often a value was at most so large, in Prometheus' sense: buckets, a sum and a count.
struct Histogram: Hashable, Sendable {
  /// The upper ends of the buckets, ascending; a larger value counts in the last alone, `+Inf`.
  let bounds: [Double]
  /// How many values fell into each bucket and none before it; the last is beyond all bounds.
  private(set) var counts: [Int]
  private(set) var sum = 0.0

  init(_ bounds: [Double]) {
    self.bounds = bounds
    counts = Array(repeating: 0, count: bounds.count + 1)
  }

  /// From a quarter of a millisecond, which an answer from memory needs, to ten seconds.
  static let seconds = Histogram([
    0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
  ])

  /// Edits of a transaction: the writer takes 2,000 at most.
  static let batch = Histogram([1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048])

  mutating func add(_ value: Double) {
    counts[bounds.firstIndex { value <= $0 } ?? bounds.count] += 1
    sum += value
  }
}
