/// An element with a place of its own in a row.
protocol Placed: Hashable, Sendable {
  var place: Int { get }
}

/// Elements in the order of their places, at most one at each.
///
/// Chunks of 64 neighbouring places that copies share, so that a change in a long row copies little more than
/// its own chunk. How a row came about does not show: what holds the same is cut the same.
struct SortedChunks<Element: Placed>: Hashable, Sendable {
  private struct Chunk: Hashable, Sendable {
    let key: Int
    var elements: [Element]
  }

  private var chunks: [Chunk] = []

  init() {}

  var count: Int { chunks.reduce(0) { $0 + $1.elements.count } }

  var first: Element? { chunks.first?.elements.first }

  var all: [Element] { chunks.flatMap(\.elements) }

  subscript(place: Int) -> Element? {
    let chunk = chunkIndex(Self.key(of: place))
    guard chunk < chunks.count, chunks[chunk].key == Self.key(of: place) else { return nil }
    let elements = chunks[chunk].elements
    let index = Self.index(of: place, in: elements)
    return index < elements.count && elements[index].place == place ? elements[index] : nil
  }

  /// Puts an element at a place, or with nil takes away what is there. The element has to name that place.
  mutating func set(_ element: Element?, at place: Int) {
    let key = Self.key(of: place)
    let chunk = chunkIndex(key)
    guard chunk < chunks.count, chunks[chunk].key == key else {
      if let element { chunks.insert(Chunk(key: key, elements: [element]), at: chunk) }
      return
    }
    let index = Self.index(of: place, in: chunks[chunk].elements)
    let isThere =
      index < chunks[chunk].elements.count && chunks[chunk].elements[index].place == place
    switch (isThere, element) {
    case (true, let element?): chunks[chunk].elements[index] = element
    case (true, nil): chunks[chunk].elements.remove(at: index)
    case (false, let element?): chunks[chunk].elements.insert(element, at: index)
    case (false, nil): break
    }
    if chunks[chunk].elements.isEmpty { chunks.remove(at: chunk) }
  }

  /// Visits the elements from a place on, in order, as long as `body` says so.
  func visit(from place: Int, _ body: (Element) -> Bool) {
    var chunk = chunkIndex(Self.key(of: place))
    while chunk < chunks.count {
      let elements = chunks[chunk].elements
      var index = Self.index(of: place, in: elements)
      while index < elements.count {
        guard body(elements[index]) else { return }
        index += 1
      }
      chunk += 1
    }
  }

  /// Whether everything before a place is the same. Takes the time of the chunks, not of the elements,
  /// where the one was made of the other.
  func agrees(with other: SortedChunks, before place: Int) -> Bool {
    let chunk = chunkIndex(Self.key(of: place))
    guard chunk == other.chunkIndex(Self.key(of: place)) else { return false }
    for index in 0..<chunk where chunks[index] != other.chunks[index] { return false }
    return elements(ofChunk: chunk, before: place) == other.elements(ofChunk: chunk, before: place)
  }

  private func elements(ofChunk chunk: Int, before place: Int) -> ArraySlice<Element> {
    chunk < chunks.count ? chunks[chunk].elements.prefix { $0.place < place } : []
  }

  private static func key(of place: Int) -> Int { place >> 6 }

  /// The first chunk with at least this key.
  private func chunkIndex(_ key: Int) -> Int {
    if let last = chunks.last, last.key < key { return chunks.count }
    return chunks.partitioningIndex { $0.key >= key }
  }

  private static func index(of place: Int, in elements: [Element]) -> Int {
    elements.partitioningIndex { $0.place >= place }
  }
}

extension Array {
  /// The first place from which on the condition holds, in an array where it holds for a suffix.
  func partitioningIndex(where holds: (Element) -> Bool) -> Int {
    var low = 0
    var high = count
    while low < high {
      let middle = low + (high - low) / 2
      if holds(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
