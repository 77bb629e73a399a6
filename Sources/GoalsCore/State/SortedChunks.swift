/// An element that has an index in a sequence.
protocol Indexed: Hashable, Sendable {
  var index: Int { get }
}

/// Elements in the order of their indices, at most one at each index.
///
/// Copies share chunks of 64 neighbouring indices, so that a change in a long sequence copies
/// little more than its own chunk. Sequences with the same elements have the same chunks, however
/// they were made.
struct SortedChunks<Element: Indexed>: Hashable, Sendable {
  private struct Chunk: Hashable, Sendable {
    /// The chunk has the indices from 64 times its key on.
    let key: Int
    /// A bit for each of these indices: whether there is an element.
    private var present: UInt64 = 0
    private(set) var elements: [Element] = []

    init(key: Int) { self.key = key }

    subscript(index: Int) -> Element? { has(index) ? elements[offset(of: index)] : nil }

    mutating func set(_ element: Element?, at index: Int) {
      let (offset, bit) = (offset(of: index), Self.bit(of: index))
      if present & bit != 0 { elements.remove(at: offset) }
      if let element { elements.insert(element, at: offset) }
      present = element == nil ? present & ~bit : present | bit
    }

    /// How many elements come before an index of the chunk.
    func offset(of index: Int) -> Int { (present & (Self.bit(of: index) &- 1)).nonzeroBitCount }

    private func has(_ index: Int) -> Bool { present & Self.bit(of: index) != 0 }

    private static func bit(of index: Int) -> UInt64 { 1 &<< UInt64(index & 63) }
  }

  private var chunks: [Chunk] = []

  init() {}

  var count: Int { chunks.reduce(0) { $0 + $1.elements.count } }

  var first: Element? { chunks.first?.elements.first }

  var all: [Element] { chunks.flatMap { $0.elements } }

  subscript(index: Int) -> Element? {
    let chunk = chunkIndex(Self.key(of: index))
    guard chunk < chunks.count, chunks[chunk].key == Self.key(of: index) else { return nil }
    return chunks[chunk][index]
  }

  /// Puts an element at an index, which has to be the element's own; nil removes the element there.
  mutating func set(_ element: Element?, at index: Int) {
    let key = Self.key(of: index)
    let chunk = chunkIndex(key)
    if chunk == chunks.count || chunks[chunk].key != key {
      if element == nil { return }
      chunks.insert(Chunk(key: key), at: chunk)
    }
    chunks[chunk].set(element, at: index)
    if chunks[chunk].elements.isEmpty { chunks.remove(at: chunk) }
  }

  /// Visits the elements at and after an index, in order, until `body` returns false.
  func visit(from index: Int, _ body: (Element) -> Bool) {
    let key = Self.key(of: index)
    var chunk = chunkIndex(key)
    var offset =
      chunk < chunks.count && chunks[chunk].key == key ? chunks[chunk].offset(of: index) : 0
    while chunk < chunks.count {
      let elements = chunks[chunk].elements
      while offset < elements.count {
        guard body(elements[offset]) else { return }
        offset += 1
      }
      offset = 0
      chunk += 1
    }
  }

  /// Whether the elements before an index are the same in both. Where one was made from the other,
  /// the time grows with the number of chunks, not of elements.
  func agrees(with other: SortedChunks, before index: Int) -> Bool {
    // At once where neither has changed: two arrays of one buffer are equal.
    if chunks == other.chunks { return true }
    let chunk = chunkIndex(Self.key(of: index))
    guard chunk == other.chunkIndex(Self.key(of: index)) else { return false }
    for offset in 0..<chunk where chunks[offset] != other.chunks[offset] { return false }
    return elements(ofChunk: chunk, before: index) == other.elements(ofChunk: chunk, before: index)
  }

  private func elements(ofChunk chunk: Int, before index: Int) -> ArraySlice<Element> {
    chunk < chunks.count ? chunks[chunk].elements.prefix { $0.index < index } : []
  }

  private static func key(of index: Int) -> Int { index >> 6 }

  /// The index of the first chunk with at least this key.
  private func chunkIndex(_ key: Int) -> Int {
    guard let first = chunks.first?.key, first < key else { return 0 }
    // Keys rise by one at least, so the chunk is not behind this index; where no key is left out
    // it is there.
    let last = key - first
    if last < chunks.count, chunks[last].key == key { return last }
    return chunks.partitioningIndex(below: min(last, chunks.count)) { $0.key >= key }
  }
}

extension Array {
  /// The first index at which the condition holds, in an array where it holds for a suffix.
  func partitioningIndex(where holds: (Element) -> Bool) -> Int {
    partitioningIndex(below: count, where: holds)
  }

  /// The first index below `end` at which the condition holds; `end` where there is none.
  func partitioningIndex(below end: Int, where holds: (Element) -> Bool) -> Int {
    var low = 0
    var high = end
    while low < high {
      let middle = low + (high - low) / 2
      if holds(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
