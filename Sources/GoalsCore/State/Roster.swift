/// The goals of an account: all goals ever made, by slot and by id, and the list of the present
/// ones in its order.
///
/// A slot is a goal's permanent number, from 0 in the order of making.
public struct Roster: Hashable, Sendable {
  private var goals = PersistentArray<TrackedGoal>()
  private var slots: [Goal.ID: Int] = [:]
  /// The slots of the goals in the list, first to last.
  public private(set) var order: [Int] = []
  /// How many changes all goals ever made remember: the settings of their timelines but for the
  /// first of each.
  public private(set) var changes = 0

  /// The goals of a new account: none.
  public init() {}

  /// A stored roster. Nil where the order names a slot without a goal or names a slot twice, where
  /// an id occurs twice, or where the order and the goals' existence disagree.
  public init?(goals: [TrackedGoal], order: [Int]) {
    for goal in goals {
      guard slots.updateValue(self.goals.count, forKey: goal.goal.id) == nil else { return nil }
      self.goals.append(goal)
      changes += goal.changes
    }
    let present = goals.indices.filter { !goals[$0].isDeleted }
    guard order.sorted() == present else { return nil }
    self.order = order
  }

  /// How many goals the list holds.
  public var count: Int { order.count }

  /// How many goals were ever made.
  public var everMade: Int { goals.count }

  /// The slot of a goal, which it keeps for ever; nil for an unknown one.
  public func slot(of id: Goal.ID) -> Int? { slots[id] }

  /// The goal in a slot; nil where there is none.
  public func goal(in slot: Int) -> TrackedGoal? {
    goals.indices.contains(slot) ? goals[slot] : nil
  }

  /// A goal that was ever made.
  public func goal(_ id: Goal.ID) -> TrackedGoal? { slots[id].map { goals[$0] } }

  /// Looks at a goal that was ever made, without copying it; nil where there is none.
  func look<Result>(at id: Goal.ID, _ body: (borrowing TrackedGoal) -> Result) -> Result? {
    slots[id].map { goals.look(at: $0, body) }
  }

  /// Looks at the goal in a slot, without copying it. The slot has to hold a goal.
  package func look<Result>(in slot: Int, _ body: (borrowing TrackedGoal) -> Result) -> Result {
    goals.look(at: slot, body)
  }

  /// A goal that is in the list.
  public func listed(_ id: Goal.ID) -> TrackedGoal? {
    goal(id).flatMap { $0.isDeleted ? nil : $0 }
  }

  /// Whether a goal is active; nil where it is not in the list.
  public func isActive(_ id: Goal.ID) -> Bool? {
    look(at: id) { $0.isDeleted ? nil : $0.isActive } ?? nil
  }

  /// The index in the list of each goal, by slot; `order.count` for a goal that is not in the list.
  private var listIndices: [Int] {
    var indices = [Int](repeating: order.count, count: everMade)
    for (index, slot) in order.enumerated() { indices[slot] = index }
    return indices
  }

  /// These elements in the order of the list; those of goals that are not in it come last.
  func sorted<Element>(_ elements: [Element], by id: (Element) -> Goal.ID) -> [Element] {
    guard elements.count > 1 else { return elements }
    let indices = listIndices
    let placed = elements.map {
      (index: slots[id($0)].map { indices[$0] } ?? order.count, element: $0)
    }
    return placed.sorted { $0.index < $1.index }.map { $0.element }
  }

  /// The goals of the list, in order.
  public var list: [TrackedGoal] { order.map { goals[$0] } }

  /// The ids of the list, in order.
  public var ids: [Goal.ID] { order.map { goals[$0].goal.id } }

  /// The goal after this one in the list; nil for the last goal, and for one that is not in the
  /// list.
  public func successor(of id: Goal.ID) -> Goal.ID? {
    guard let index = index(of: id), index + 1 < order.count else { return nil }
    return goals[order[index + 1]].goal.id
  }

  /// The index of a goal in the list; nil where the goal is not in it.
  public func index(of id: Goal.ID) -> Int? {
    slots[id].flatMap { slot in order.firstIndex(of: slot) }
  }

  /// Puts a new goal first in the list; does nothing where its id is taken.
  mutating func insert(_ goal: TrackedGoal) {
    guard slots[goal.goal.id] == nil else { return }
    slots[goal.goal.id] = goals.count
    order.insert(goals.count, at: 0)
    goals.append(goal)
    changes += goal.changes
  }

  /// Changes a goal, in the list or not; does nothing where there is none.
  mutating func update(_ id: Goal.ID, _ body: (inout TrackedGoal) -> Void) {
    guard let slot = slots[id] else { return }
    var growth = 0
    goals.update(slot) { goal in
      let before = goal.changes
      body(&goal)
      growth = goal.changes - before
    }
    changes += growth
  }

  /// Takes a goal out of the list. The goal keeps its slot and its id.
  mutating func unlist(_ id: Goal.ID) {
    guard let index = index(of: id) else { return }
    order.remove(at: index)
  }

  /// Puts a goal before another, or at the end where `successor` is nil or not in the list.
  mutating func list(_ id: Goal.ID, before successor: Goal.ID?) {
    guard let slot = slots[id], id != successor else { return }
    unlist(id)
    let index = successor.flatMap { self.index(of: $0) } ?? order.count
    order.insert(slot, at: index)
  }
}
