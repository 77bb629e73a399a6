import GoalsCore
import GoalsStore

/// Reads goals: from memory at once, else from the disk on another queue.
func goalsFeature(
  _ store: Store, _ world: World, _ queues: Queues, _ listings: Listings
) -> Feature<GoalsUseCase> {
  let pastStates = PastStates(in: store)
  @Sendable func listing(
    of account: Account.ID, _ answer: @escaping @Sendable (Result<Listing, Failure>) -> Void
  ) {
    let current = { @Sendable (published: Published) -> Result<Listing, Failure> in
      listings.current(of: account, published).map { .success($0) } ?? .failure(.noCalendar)
    }
    if let published = store.stateInMemory(account) { return answer(current(published)) }
    queues.reads.async {
      do throws(StoreError) {
        answer(try store.state(account).map(current) ?? .failure(.unknownAccount))
      } catch {
        world.track(.store(.failed(error)))
        answer(.failure(Failure(error)))
      }
    }
  }
  return { useCase, reply in
    switch useCase {
    case .list(let account):
      listing(of: account) { reply($0.map(Reply.list).orFailure) }
    case .past(let account, let version):
      queues.fold(world, reply) { () throws(StoreError) in
        guard let past = try pastStates.state(of: account, at: version) else {
          return .failed(.unknownVersion)
        }
        return Listing(past: past, in: world).map(Reply.list) ?? .failed(.noCalendar)
      }
    case .history(let account, let id, let window):
      queues.read(world, reply) { () throws(StoreError) in
        guard let published = try store.state(account) else { return .failed(.unknownAccount) }
        return HistoryReading.of(id, in: window, account, published, listings, world)
          .map(Reply.history).orFailure
      }
    case .read(let account, let id):
      listing(of: account) { result in
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
