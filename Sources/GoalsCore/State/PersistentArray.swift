/// An array whose copies share everything that has not changed since. Changing one of n elements
/// copies n/8 references and one chunk of 8, not n elements. Changing it again copies nothing, as
/// long as no copy was made in between.
struct PersistentArray<Element: Sendable & Hashable>: Hashable, Sendable {
  /// Holds an element, so that copying a chunk counts references and copies no contents.
  ///
  /// `@unchecked Sendable`, because it is changed only while one array alone holds it.
  private final class Box: Hashable, @unchecked Sendable {
    var element: Element

    init(_ element: Element) { self.element = element }

    static func == (left: Box, right: Box) -> Bool {
      left === right || left.element == right.element
    }

    func hash(into hasher: inout Hasher) { hasher.combine(element) }
  }

  private static var chunkSize: Int { 8 }
  private var chunks: [[Box]] = []

  init() {}

  var count: Int {
    guard let last = chunks.last else { return 0 }
    return (chunks.count - 1) * Self.chunkSize + last.count
  }

  var indices: Range<Int> { 0..<count }

  /// The index has to be one of `indices`.
  subscript(index: Int) -> Element {
    chunks[index / Self.chunkSize][index % Self.chunkSize].element
  }

  /// Looks at an element without copying it. The index has to be one of `indices`.
  func look<Result>(at index: Int, _ body: (borrowing Element) -> Result) -> Result {
    body(chunks[index / Self.chunkSize][index % Self.chunkSize].element)
  }

  /// The index has to be one of `indices`.
  mutating func update(_ index: Int, _ body: (inout Element) -> Void) {
    let (chunk, offset) = index.quotientAndRemainder(dividingBy: Self.chunkSize)
    if !isKnownUniquelyReferenced(&chunks[chunk][offset]) {
      chunks[chunk][offset] = Box(chunks[chunk][offset].element)
    }
    body(&chunks[chunk][offset].element)
  }

  mutating func append(_ element: Element) {
    if let last = chunks.last, last.count < Self.chunkSize {
      chunks[chunks.count - 1].append(Box(element))
    } else {
      chunks.append([Box(element)])
    }
  }
}
