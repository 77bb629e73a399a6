import Testing

@testable import GoalsCore

@Suite("A configuration")
struct ConfigureTests {
  @Test(
    "of nothing, or of what is so, changes nothing",
    arguments: [
      CalendarSettings.Changes(), .init(timeZone: .utc), .init(weekStart: .monday),
      .init(timeZone: .utc, weekStart: .monday, dayStart: .midnight),
    ])
  func unchanged(_ changes: CalendarSettings.Changes) {
    var account = TestAccount()
    #expect(account.send(Edit(.configure(changes))) == .unchanged)
  }

  @Test("changes what it names, and only that")
  func changes() {
    var account = TestAccount()
    account.zones = RandomAccount.zones
    account.record(.configure(.init(timeZone: .of("Europe/Berlin"))))
    account.record(.configure(.init(weekStart: .saturday)))
    account.record(.configure(.init(dayStart: .of("12:00"))))
    #expect(
      account.state.calendar
        == CalendarSettings(
          timeZone: .of("Europe/Berlin"), weekStart: .saturday, dayStart: .of("12:00")))
  }

  @Test("with a zone that the database does not have is refused, whatever else it says")
  func unknownZone() {
    var account = TestAccount()
    account.zones = RandomAccount.zones
    let changes = CalendarSettings.Changes(timeZone: .of("Nowhere/None"), weekStart: .sunday)
    #expect(account.send(Edit(.configure(changes))).rejection == .unknownTimeZone)
  }
}
