import GoalsCore

/// Tells of most ids that they were never put in: a Bloom filter (B. H. Bloom, Space/Time Trade-offs in Hash
/// Coding with Allowable Errors, 1970), of two bytes an id.
///
/// Four bits of one word stand for an id, so that a look at a layer costs one line of the processor's cache.
/// Where a layer is full, a larger one follows. Each full layer takes about one id in two hundred for one that
/// was put in; the last goes on taking ids in, and becomes wrong more often.
struct IDFilter {
  private struct Layer {
    private var words: [UInt64]
    /// How many ids it has yet to take to be full.
    private(set) var room: Int

    var wordCount: Int { words.count }

    /// - Parameter count: a power of two.
    init(words count: Int) {
      words = Array(repeating: 0, count: count)
      room = count * IDFilter.idsAWord
    }

    mutating func insert(_ hash: UInt64) {
      words[place(of: hash)] |= Self.bits(of: hash)
      room -= 1
    }

    func mayHold(_ hash: UInt64) -> Bool {
      let bits = Self.bits(of: hash)
      return words[place(of: hash)] & bits == bits
    }

    /// By other bits of the hash than those that choose the word's.
    private func place(of hash: UInt64) -> Int {
      Int(truncatingIfNeeded: hash >> 24) & (words.count - 1)
    }

    private static func bits(of hash: UInt64) -> UInt64 {
      (0..<4).reduce(0) { $0 | 1 << (hash >> (6 * $1) & 63) }
    }
  }

  private static let idsAWord = 4
  /// 32 KB, for 16,384 ids; and 8 MB, for four million.
  private static let wordCounts = (first: 1 << 12, growth: 4, last: 1 << 20)

  private var layers = [Layer(words: wordCounts.first)]
  /// Clients choose the ids, and can't know what they hash to.
  private let seeds = (UInt64.random(in: 0...UInt64.max), UInt64.random(in: 0...UInt64.max))

  mutating func insert(_ id: Edit.ID) {
    let last = layers.count - 1
    if layers[last].room <= 0, layers[last].wordCount < Self.wordCounts.last {
      layers.append(Layer(words: layers[last].wordCount * Self.wordCounts.growth))
    }
    layers[layers.count - 1].insert(hash(of: id))
  }

  /// False for an id that was not put in, but for a few of them. True for each that was.
  func mayHold(_ id: Edit.ID) -> Bool {
    let hash = hash(of: id)
    return layers.contains { $0.mayHold(hash) }
  }

  private func hash(of id: Edit.ID) -> UInt64 {
    let product = (id.high ^ seeds.0).multipliedFullWidth(by: id.low ^ seeds.1)
    return product.high ^ product.low
  }
}
