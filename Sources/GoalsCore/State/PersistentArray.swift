/// An array whose copies share everything but what was changed since: setting one of n elements
/// copies n/32 references and one chunk of 32, not n elements.
struct PersistentArray<Element: Sendable & Hashable>: Hashable, Sendable {
  /// Holds an element, so that copying a chunk counts references and copies no contents.
  private final class Box: Hashable, Sendable {
    let element: Element

    init(_ element: Element) { self.element = element }

    static func == (left: Box, right: Box) -> Bool {
      left === right || left.element == right.element
    }

    func hash(into hasher: inout Hasher) { hasher.combine(element) }
  }

  private static var chunkSize: Int { 32 }
  private var chunks: [[Box]] = []

  init() {}

  var count: Int {
    guard let last = chunks.last else { return 0 }
    return (chunks.count - 1) * Self.chunkSize + last.count
  }

  var indices: Range<Int> { 0..<count }

  /// The index has to be one of `indices`.
  subscript(index: Int) -> Element {
    get { chunks[index / Self.chunkSize][index % Self.chunkSize].element }
    set { chunks[index / Self.chunkSize][index % Self.chunkSize] = Box(newValue) }
  }

  mutating func append(_ element: Element) {
    if let last = chunks.last, last.count < Self.chunkSize {
      chunks[chunks.count - 1].append(Box(element))
    } else {
      chunks.append([Box(element)])
    }
  }
}
