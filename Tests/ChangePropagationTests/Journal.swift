import ChangePropagation
import Synchronization

/// The context of observations in the tests: it writes down what it was told.
final class Journal<Entry: Sendable>: Sendable {
  private let written = Mutex<[Entry]>([])

  var entries: [Entry] { written.withLock { $0 } }

  func write(_ entry: Entry) {
    written.withLock { $0.append(entry) }
  }
}

extension Observable {
  /// Has `journal` write down what it is told.
  @discardableResult
  func write(to journal: Journal<Value>) -> Observation {
    observe(withContext: journal) { journal, value in journal.write(value) }
  }
}

/// A place for what a test hands over to an observer, or takes away while one is called.
final class Box<Value: Sendable>: Sendable {
  private let content: Mutex<Value>

  init(_ value: Value) {
    content = Mutex(value)
  }

  var value: Value { content.withLock { $0 } }

  func put(_ value: Value) {
    content.withLock { $0 = value }
  }
}
