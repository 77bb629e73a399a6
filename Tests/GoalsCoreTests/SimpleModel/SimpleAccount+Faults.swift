import GoalsCore

extension SimpleAccount {
  /// Every code for which an edit is to be rejected, id and `at` apart.
  func faults(
    of edit: Edit, at instant: Instant, on day: Int, by given: SimpleCircumstances
  ) -> Set<Rejection.Code> {
    switch edit {
    case .goal(let edit): faults(of: edit, by: given)
    case .progress(.bump(let id, let increment, _)):
      faults(ofTouching: id, at: instant).union(
        (counts(of: id)[day] ?? 0) + increment.value < 0 ? [.belowZero] : [])
    case .progress(.skip(let id)): faults(ofTouching: id, at: instant)
    case .account(.configure(let changes)):
      changes.timeZone.map(given.clocks.knows) == false ? [.unknownTimeZone] : []
    case .account(.undo(let target)): faults(ofUndoing: target, by: given)
    }
  }

  private func faults(
    of edit: GoalEdit, by given: SimpleCircumstances
  ) -> Set<Rejection.Code> {
    switch edit {
    case .add(let goal):
      if list.contains(goal.id), goals[goal.id]?.goal == goal { return [] }
      return faults(ofComing: given).union(goals[goal.id] == nil ? [] : [.goalExists])
    case .delete(let id), .alter(let id, _): return faults(ofNaming: [id])
    case .update(let goal): return faults(ofNaming: [goal.id])
    case .setActivity(.keyed(let activity)):
      return faults(ofNaming: activity.elements.map(\.goal))
    case .setActivity(.listed(let values)):
      return values.count == list.count ? [] : [.activityMismatch]
    case .move(let id, let before): return faults(ofNaming: [id] + (before.map { [$0] } ?? []))
    }
  }

  private func faults(ofNaming ids: [Goal.ID]) -> Set<Rejection.Code> {
    ids.allSatisfy(list.contains) ? [] : [.unknownGoal]
  }

  private func faults(ofComing given: SimpleCircumstances) -> Set<Rejection.Code> {
    list.count >= given.maximumGoals ? [.limitReached] : []
  }

  private func faults(ofTouching id: Goal.ID, at instant: Instant) -> Set<Rejection.Code> {
    guard list.contains(id), let goal = goals[id] else { return [.unknownGoal] }
    return goal.activity.present || goal.isThere(at: instant) ? [] : [.inactiveGoal]
  }

  private func faults(
    ofUndoing target: Edit.ID, by given: SimpleCircumstances
  ) -> Set<Rejection.Code> {
    guard let entry = log.entry(target) else { return [.unknownEdit] }
    guard let undone = log.undoable(entry) else { return [.notUndoable] }
    let deed = deeds[undone.version - 1]
    let chain = log.chain(to: undone)
    switch chain.root.edit {
    case .goal(.add(let goal)):
      return chain.isRedo ? faults(ofReturning: goal.id, by: given) : faults(ofGoing: goal.id)
    case .goal(.delete(let id)):
      return chain.isRedo ? faults(ofGoing: id) : faults(ofReturning: id, by: given)
    case .goal, .progress, .account:
      return canTakeBack(deed, of: chain.root, isRedo: chain.isRedo) ? [] : [.notUndoable]
    }
  }

  private func canTakeBack(_ deed: SimpleDeed, of root: SimpleEntry, isRedo: Bool) -> Bool {
    switch root.edit {
    case .goal(.update), .goal(.alter):
      guard let (before, after) = deed.goal, list.contains(before.id) else { return false }
      return goals[before.id]?.goal.stillHolds(after, changedFrom: before) == true
    case .goal(.setActivity):
      return deed.turned.allSatisfy {
        list.contains($0.goal) && goals[$0.goal]?.activity.present == $0.isActive
      }
    case .goal(.move(let id, _)): return list.contains(id)
    case .progress(.bump(let id, let increment, _)):
      let count = counts(of: id)[root.day ?? 0] ?? 0
      return list.contains(id) && count + (isRedo ? increment.value : -increment.value) >= 0
    case .progress(.skip(let id)):
      // Another skip may have excused the day since this one was taken back.
      return list.contains(id) && excusedDays(of: id).contains(root.day ?? 0) != isRedo
    case .account(.configure):
      guard let (before, after) = deed.settings else { return false }
      return settings.stillHolds(after, changedFrom: before)
    case .goal(.add), .goal(.delete), .account(.undo): return false
    }
  }

  private func faults(ofGoing id: Goal.ID) -> Set<Rejection.Code> {
    list.contains(id) ? [] : [.notUndoable]
  }

  private func faults(
    ofReturning id: Goal.ID, by given: SimpleCircumstances
  ) -> Set<Rejection.Code> {
    list.contains(id) ? [.notUndoable] : faults(ofComing: given)
  }
}
