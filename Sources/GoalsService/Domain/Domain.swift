import GoalsCore
import GoalsStore

/// A message to the domain, by feature. Each case of a feature's enum is a use case: a function
/// from its request, which the case holds, to the response that its completion takes.
package enum Message: Sendable {
  case goals(GoalsUseCase)
  case edits(EditsUseCase)
  case account(AccountUseCase)
  case tokens(TokensUseCase)
  case sessions(SessionsUseCase)
  case archive(ArchiveUseCase)
  case changes(ChangesUseCase)
  case health(HealthUseCase)
}

/// Takes the response of a use case, or why there is none: once, on any thread.
package typealias Completion<Response> = @Sendable (Result<Response, Failure>) -> Void

/// The whole service as a function of a message.
package typealias Domain = @Sendable (Message) -> Void

/// The part of the domain that answers the messages of one feature.
package typealias Feature<UseCase> = @Sendable (UseCase) -> Void

/// Hears the outcomes of every batch that was decided, and answers nothing.
package typealias Receiver = @Sendable (Batch, [Outcome]) -> Void

/// Makes the domain of its features. Exactly one feature answers a message; every receiver hears
/// the outcomes of edits.
///
/// - Parameter wait: calls a request back that waits for an edit.
package func makeDomain(
  _ access: Access, queues: Queues, waitingBy wait: @escaping Waiting, receivers: [Receiver] = []
) -> Domain {
  let (store, world) = (access.store, access.world)
  let listings = Listings(observing: store.updated, in: world)
  let submit = submission(to: store, in: world, queues, listings, receivers)
  let pastStates = PastStates(in: store)
  let goals = goalsFeature(store, world, queues, listings, pastStates)
  let edits = editsFeature(store, world, queues, listings, submit)
  let account = accountFeature(access, queues, pastStates, submit)
  let tokens = tokensFeature(access, queues)
  let sessions = sessionsFeature(access, queues)
  let archive = archiveFeature(store, world, queues)
  let changes = changesFeature(store, world, queues, waitingBy: wait)
  let health = healthFeature(store, world, queues)
  return { message in
    switch message {
    case .goals(let useCase): goals(useCase)
    case .edits(let useCase): edits(useCase)
    case .account(let useCase): account(useCase)
    case .tokens(let useCase): tokens(useCase)
    case .sessions(let useCase): sessions(useCase)
    case .archive(let useCase): archive(useCase)
    case .changes(let useCase): changes(useCase)
    case .health(let useCase): health(useCase)
    }
  }
}
