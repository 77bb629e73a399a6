import GoalsStore

/// The whole service as a function of a message and of where its reply goes.
package typealias Domain = @Sendable (Message, @escaping @Sendable (Reply) -> Void) -> Void

/// A part of the domain: answers the messages of one feature.
package typealias Feature<UseCase> =
  @Sendable (UseCase, @escaping @Sendable (Reply) -> Void) -> Void

/// As above, of one that may take long, for whoever asks.
package typealias LongFeature<UseCase> =
  @Sendable (UseCase, Asker, @escaping @Sendable (Reply) -> Void) -> Void

/// Listens to what was asked and answered, and answers nothing itself.
package typealias Receiver = @Sendable (Message, Reply) -> Void

/// Makes the domain of its features, each with its store applied. Exactly one of them answers a
/// message; every receiver hears of it.
package func makeDomain(
  _ access: Access, queues: Queues, hub: ChangeHub, receivers: [Receiver] = []
) -> Domain {
  let (store, world) = (access.store, access.world)
  let listings = Listings(observing: store.updated, in: world)
  let goals = goalsFeature(store, world, queues, listings)
  let edits = editsFeature(store, world, queues, listings)
  let account = accountFeature(access, queues, listings)
  let tokens = tokensFeature(access, queues)
  let changes = changesFeature(store, world, queues, hub)
  let archive = archiveFeature(store, world, queues)
  let sessions = sessionsFeature(access, queues)
  let health = healthFeature(store, world, queues)
  return { (message: Message, reply: @escaping @Sendable (Reply) -> Void) in
    let answer = { @Sendable (answered: Reply) in
      for receiver in receivers { receiver(message, answered) }
      reply(answered)
    }
    switch message {
    case .goals(let useCase, for: let asker): goals(useCase, asker, answer)
    case .edits(let useCase): edits(useCase, answer)
    case .account(let useCase): account(useCase, answer)
    case .tokens(let useCase): tokens(useCase, answer)
    case .changes(let useCase): changes(useCase, answer)
    case .archive(let useCase, for: let asker): archive(useCase, asker, answer)
    case .sessions(let useCase): sessions(useCase, answer)
    case .health(let useCase): health(useCase, answer)
    }
  }
}
