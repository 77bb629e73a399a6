import GoalsCore
import GoalsStore

/// Reads goals: from memory at once, else from the disk on another queue. What takes long goes on in portions,
/// for as long as it is waited for.
func goalsFeature(
  _ store: Store, _ world: World, _ queues: Queues, _ listings: Listings
) -> LongFeature<GoalsUseCase> {
  let pastStates = PastStates(in: store)
  @Sendable func listing(
    of account: Account.ID, for asker: Asker,
    _ answer: @escaping @Sendable (Result<Listing, Failure>) -> Void
  ) {
    queues.state(of: account, in: store, world) { result in
      switch result {
      case .success(let published):
        if let known = listings.known(of: account, published) { return answer(.success(known)) }
        guard let make = listings.making(of: account, published) else {
          return answer(.failure(.noCalendar))
        }
        queues.folds.run(
          of: account, for: asker, startsHere: true, in: world,
          { (steps) throws(StoreError) in make(steps) }, answer)
      case .failure(let failure): answer(.failure(failure))
      }
    }
  }
  return { useCase, asker, reply in
    switch useCase {
    case .list(let account):
      listing(of: account, for: asker) { reply($0.map(Reply.list).orFailure) }
    case .past(let account, let version):
      queues.folds.run(
        of: account, for: asker, in: world,
        pastStates.making(of: account, at: version, in: world)
      ) { reply($0.orFailure) }
    case .history(let account, let id, let window):
      queues.state(of: account, in: store, world) { result in
        let making = result.flatMap {
          HistoryReading.making(id, in: window, account, $0, listings, world)
        }
        switch making {
        case .success(let make):
          // The days and periods of a window take a while as well, so none of it is made where others wait.
          queues.folds.run(
            of: account, for: asker, in: world, { (steps) throws(StoreError) in make(steps) }
          ) { reply($0.map(Reply.history).orFailure) }
        case .failure(let failure): reply(.failed(failure))
        }
      }
    case .read(let account, let id):
      listing(of: account, for: asker) { result in
        reply(
          result.flatMap { listing in
            listing.goals.entries.first { $0.goal.id == id }
              .map { .success(.goal($0, listing.tag)) } ?? .failure(.unknownGoal)
          }.orFailure)
      }
    }
  }
}

extension Failure: Error {}

extension Result<Reply, Failure> {
  var orFailure: Reply {
    switch self {
    case .success(let reply): reply
    case .failure(let failure): .failed(failure)
    }
  }
}
