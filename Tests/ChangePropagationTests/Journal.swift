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

extension ChangeStream {
  /// Has `journal` write down what it is told.
  @discardableResult
  func write(to journal: Journal<Value>) -> ObservationHandle {
    observe(withContext: journal) { journal, value in journal.write(value) }
  }
}
