import GoalsCore
import GoalsStore

/// Makes, reads and configures the account itself.
func accountFeature(
  _ access: Access, _ queues: Queues, _ listings: Listings
) -> Feature<AccountUseCase> {
  let (store, world) = (access.store, access.world)
  let submit = submission(to: store, in: world, listings)
  return { useCase, reply in
    switch useCase {
    case .read(let id):
      queues.read(world, reply) { () throws(StoreError) in
        guard let record = try store.book.account(id), let published = try store.state(id) else {
          return .failed(.unknownAccount)
        }
        return .account(
          AccountReading(
            record: record, calendar: published.state.calendar,
            cursor: Cursor(published)))
      }
    case .add(let asked):
      queues.changeAccess(world, reply) { () throws(StoreError) in
        guard try access.isRoomForAccount else { return .failed(.tooManyAccounts) }
        let made = try access.addAccount(asked, tokenName: "first token")
        guard let published = try store.state(made.record.id) else {
          return .failed(.unknownAccount)
        }
        let reading = AccountReading(
          record: made.record, calendar: published.state.calendar, cursor: Cursor(published))
        return .addedAccount(reading, made.token)
      }
    case .configure(let change):
      submit(change) { answer in
        guard case .ruled(let ruled) = answer, let state = ruled.ruling.state else {
          return reply(answer)
        }
        queues.read(world, reply) { () throws(StoreError) in
          guard let record = try store.book.account(change.account) else {
            return .failed(.unknownAccount)
          }
          let reading = AccountReading(
            record: record, calendar: state.calendar, cursor: ruled.cursor)
          return .configured(ruled, reading)
        }
      }
    }
  }
}
