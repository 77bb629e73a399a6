import GoalsCore
import GoalsStore

package enum GoalsUseCase: Sendable {
  /// The list as it reads now; or as it was when a version was recorded.
  case list(of: Account.ID, at: Version?, for: Asker, Completion<Listing>)
  case read(Goal.ID, of: Account.ID, for: Asker, Completion<GoalView>)
  /// What became of a goal in a window of days.
  case history(AskedHistory, of: Account.ID, for: Asker, Completion<HistoryView>)
  /// What became of all goals in a window of days.
  case histories(AskedHistories, of: Account.ID, for: Asker, Completion<Histories>)
  /// The goal of an id, or of a title that only one has, whatever its case.
  case find(String, of: Account.ID, Completion<Goal.ID>)
}

/// A goal as it reads in a list.
package struct GoalView: Sendable {
  let item: Goals.Item
  let listing: Listing

  fileprivate init(_ id: Goal.ID, in listing: Listing) throws(Failure) {
    item = try listing.goals.items.first { $0.goal.id == id }.or(.unknownGoal)
    self.listing = listing
  }
}

/// Reads goals: from memory at once, else from the disk on another queue. What takes long goes on
/// in portions, for as long as somebody waits for it.
func goalsFeature(
  _ store: Store, _ world: World, _ queues: Queues, _ listings: Listings, _ pastStates: PastStates
) -> Feature<GoalsUseCase> {
  @Sendable func list(
    of account: Account.ID, for asker: Asker, _ completion: @escaping Completion<Listing>
  ) {
    queues.state(of: account, for: asker, in: store, world) { result in
      switch result {
      case .success(let published):
        listings.read(of: account, published, for: asker, on: queues, completion)
      case .failure(let failure): completion(.failure(failure))
      }
    }
  }
  return { useCase in
    switch useCase {
    case .list(let account, nil, let asker, let completion):
      list(of: account, for: asker, completion)
    case .list(let account, let version?, let asker, let completion):
      queues.folds.run(
        of: account, for: asker, in: world,
        pastStates.making(of: account, at: version, in: world), completion)
    case .read(let id, let account, let asker, let completion):
      list(of: account, for: asker) { result in
        completion(world.catching { try GoalView(id, in: result.get()) })
      }
    case .history(let asked, let account, let asker, let completion):
      queues.state(of: account, for: asker, in: store, world) { result in
        switch world.catching({ try HistoryReader(asked, of: account, result.get(), in: world) }) {
        case .success(let reader):
          // The days and periods take a while as well, so none is made where others wait.
          queues.folds.run(
            of: account, for: asker, in: world,
            { steps in try reader.read(steps, in: store, listings) }, completion)
        case .failure(let failure): completion(.failure(failure))
        }
      }
    case .histories(let asked, let account, let asker, let completion):
      queues.state(of: account, for: asker, in: store, world) { result in
        switch world.catching({ try HistoriesReader(asked, of: result.get(), in: world) }) {
        case .success(let reader):
          if let unwanted = reader.unwanted { return completion(.success(unwanted)) }
          queues.folds.run(
            of: account, for: asker, in: world,
            { steps in try reader.read(steps, of: account, listings) }, completion)
        case .failure(let failure): completion(.failure(failure))
        }
      }
    case .find(let reference, let account, let completion):
      queues.state(of: account, for: .patient, in: store, world) { result in
        completion(world.catching { try result.get().goal(named: reference).id })
      }
    }
  }
}

extension Published {
  /// The goal of an id, or of a title that only one has, whatever its case.
  fileprivate func goal(named reference: String) throws(Failure) -> Goal {
    let title = reference.lowercased()
    return try state.roster.list.map(\.goal)
      .named(reference, .goals, by: \.id) { $0.title.text.lowercased() == title }
      .or(.unknownGoal)
  }
}
