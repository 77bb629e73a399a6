import GoalsStore

/// Opens and closes the sessions of browsers.
func sessionsFeature(_ access: Access, _ queues: Queues) -> Feature<SessionsUseCase> {
  { useCase, reply in
    switch useCase {
    case .begin(let token):
      queues.changeAccess(access.world, reply) { () throws(StoreError) in
        .session(try access.beginSession(token))
      }
    case .end(let session):
      guard let session else { return reply(.endedSession) }
      queues.changeAccess(access.world, reply) { () throws(StoreError) in
        try access.endSession(session)
        return .endedSession
      }
    }
  }
}
