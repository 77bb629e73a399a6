import GoalsCore
import Synchronization

/// The published states, as many as fit: what was not asked for lately is let go.
///
/// Two generations, each of half the size. What is used moves to the young one; when that is full
/// it becomes the old one, and what was old is gone. So nothing has to be counted or ordered when a
/// state is read.
///
/// States of more than an eighth of the size are apart, where they let go only each other: half as
/// much of them as of all others, and at least the last one.
final class StateCache: Sendable {
  private struct Generations {
    var young: [Account.ID: Published] = [:]
    var old: [Account.ID: Published] = [:]
    var youngCost = 0
    /// The one that was used last comes last.
    var large: [(account: Account.ID, published: Published)] = []
    /// Counts how often states were let go.
    var epoch = 0
  }

  private let limit: Int
  private let generations = Mutex(Generations())

  /// - Parameter limit: in bytes, about.
  init(limit: Int) { self.limit = limit }

  func published(_ account: Account.ID) -> Published? {
    generations.withLock { generations in
      if let published = generations.young[account] { return published }
      if let index = generations.large.firstIndex(where: { $0.account == account }) {
        let one = generations.large.remove(at: index)
        generations.large.append(one)
        return one.published
      }
      guard let published = generations.old.removeValue(forKey: account) else { return nil }
      keep(published, account, in: &generations)
      return published
    }
  }

  /// The writer's: replaces what is there.
  func install(_ published: Published, _ account: Account.ID) {
    generations.withLock { generations in
      if !generations.old.isEmpty { generations.old[account] = nil }
      keep(published, account, in: &generations)
    }
  }

  func remove(_ account: Account.ID) {
    generations.withLock { generations in
      letGo(account, in: &generations)
      generations.epoch += 1
    }
  }

  private func letGo(_ account: Account.ID, in generations: inout Generations) {
    generations.old[account] = nil
    generations.youngCost -= generations.young.removeValue(forKey: account)?.cost ?? 0
    generations.large.removeAll { $0.account == account }
  }

  /// A mark of this moment, for `offer`.
  var mark: Int { generations.withLock { $0.epoch } }

  /// A reader's: fills a gap with what it has read since a mark, and replaces nothing. Where states
  /// were let go since then, one that the writer installed may be among them, so nothing is kept.
  func offer(_ published: Published, _ account: Account.ID, readSince mark: Int) {
    generations.withLock { generations in
      guard generations.epoch == mark, generations.young[account] == nil,
        generations.old[account] == nil,
        !generations.large.contains(where: { $0.account == account })
      else { return }
      keep(published, account, in: &generations)
    }
  }

  /// How many states are kept, and about how many bytes they take.
  var size: (count: Int, bytes: Int) {
    generations.withLock { generations in
      let others = Array(generations.old.values) + generations.large.map(\.published)
      let cost = others.reduce(generations.youngCost) { $0 + $1.cost }
      return (generations.young.count + others.count, cost)
    }
  }

  private func keep(
    _ published: Published, _ account: Account.ID, in generations: inout Generations
  ) {
    if published.cost > limit / 8 {
      return keepLarge(published, account, in: &generations)
    }
    if !generations.large.isEmpty { generations.large.removeAll { $0.account == account } }
    let before = generations.young.updateValue(published, forKey: account)
    generations.youngCost += published.cost - (before?.cost ?? 0)
    if generations.youngCost > limit / 2 {
      generations.old = generations.young
      generations.young = [:]
      generations.youngCost = 0
      generations.epoch += 1
    }
  }

  private func keepLarge(
    _ published: Published, _ account: Account.ID, in generations: inout Generations
  ) {
    letGo(account, in: &generations)
    generations.large.append((account, published))
    var cost = generations.large.reduce(0) { $0 + $1.published.cost }
    while generations.large.count > 1, cost > limit / 2 {
      cost -= generations.large.removeFirst().published.cost
      generations.epoch += 1
    }
  }
}
