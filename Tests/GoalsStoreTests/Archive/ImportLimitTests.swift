import GoalsCore
import Testing

@testable import GoalsStore

@Suite("An import of a goal that changed often") struct ImportLimitTests {
  private static let goal = Goal.ID(high: 0, low: 1)

  /// An export of one goal, made, and turned on and off so many times.
  private static func export(turns: Int) throws -> [UInt8] {
    let title = try #require(Title("Yoga"))
    return try Export.bytes(
      of: [Edit(.add(Goal(id: goal, title: title)))]
        + (0..<turns).map { Edit(.setActivity(.keyed([goal: $0.isMultiple(of: 2)]))) })
  }

  @Test("takes as many changes as a goal can have, and one that turns it off")
  func most() throws {
    let most = AccountState.maximumTimeline
    for turns in [most - 1, most] {
      let log = try ImportedLog(reading: Self.export(turns: turns))
      #expect(log.snapshot.state.roster.goal(Self.goal)?.activity.count == turns + 1)
    }
  }

  @Test(
    "refuses one more, by its line, whatever the size of the portions",
    arguments: [1, 1 << 16, .max])
  func oneMore(_ portion: Int) throws {
    let most = AccountState.maximumTimeline
    var importer = LogImporter(try Self.export(turns: most + 1))
    var fault: ImportFault?
    do throws(ImportFault) {
      while try importer.read(bytes: portion) == nil {}
    } catch {
      fault = error
    }
    // The calendar, the goal, and then the changes.
    #expect(fault?.line == most + 3)
    #expect(fault?.detail.contains("as often as a goal can") == true)
    #expect(fault?.sentence.hasSuffix("turned off and deleted. Nothing was imported.") == true)
  }
}
