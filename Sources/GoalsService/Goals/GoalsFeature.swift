import GoalsCore
import GoalsStore

/// Reading goals.
package enum GoalsUseCase: Sendable {
  /// The list as it reads now; or as it was when a version was recorded.
  case list(of: Account.ID, at: Version?, for: Asker, Completion<Listing>)
  /// One goal as it reads now.
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
  let entry: Goals.Entry
  let listing: Listing
}

/// Reads goals: from memory at once, else from the disk on another queue. What takes long goes on
/// in portions, for as long as somebody waits for it.
func goalsFeature(
  _ store: Store, _ world: World, _ queues: Queues, _ listings: Listings
) -> Feature<GoalsUseCase> {
  let pastStates = PastStates(in: store)
  @Sendable func list(
    of account: Account.ID, for asker: Asker, _ completion: @escaping Completion<Listing>
  ) {
    queues.state(of: account, in: store, world) { result in
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
        completion(
          result.flatMap { listing in
            listing.goals.entries.first { $0.goal.id == id }
              .map { GoalView(entry: $0, listing: listing) }.orFailure(.unknownGoal)
          })
      }
    case .history(let asked, let account, let asker, let completion):
      queues.state(of: account, in: store, world) { result in
        switch result.flatMap({ HistoryReader.make(asked, of: account, $0, in: world) }) {
        case .success(let reader):
          // The days and periods take a while as well, so none is made where others wait.
          queues.folds.run(
            of: account, for: asker, in: world,
            { (steps) throws(StoreError) in try reader.read(steps, in: store, listings) },
            completion)
        case .failure(let failure): completion(.failure(failure))
        }
      }
    case .histories(let asked, let account, let asker, let completion):
      queues.state(of: account, in: store, world) { result in
        switch result.flatMap({ HistoriesReader.make(asked, of: $0, in: world) }) {
        case .success(let reader):
          read(reader, asked, of: account, for: asker, on: queues, in: world, listings, completion)
        case .failure(let failure): completion(.failure(failure))
        }
      }
    case .find(let reference, let account, let completion):
      queues.state(of: account, in: store, world) { result in
        completion(result.flatMap { goal(reference, among: $0.state.roster.list.map(\.goal)) })
      }
    }
  }
}

/// The goal of an id, or of a title that only one has, whatever its case.
private func goal(_ reference: String, among goals: [Goal]) -> Result<Goal.ID, Failure> {
  if let id = Goal.ID(reference), goals.contains(where: { $0.id == id }) { return .success(id) }
  let title = reference.lowercased()
  let titled = goals.filter { $0.title.text.lowercased() == title }.map(\.id)
  guard titled.count < 2 else { return .failure(.ambiguousTitle(titled)) }
  return titled.first.orFailure(.unknownGoal)
}

/// Reads the histories of a page of goals, where they are wanted.
private func read(
  _ reader: HistoriesReader, _ asked: AskedHistories, of account: Account.ID, for asker: Asker,
  on queues: Queues, in world: World, _ listings: Listings,
  _ completion: @escaping Completion<Histories>
) {
  guard asked.areWanted(reader.tag) else {
    return completion(.success(Histories(tag: reader.tag, body: nil)))
  }
  queues.folds.run(
    of: account, for: asker, in: world,
    { (steps) throws(StoreError) in reader.read(steps, of: account, listings) }, completion)
}
