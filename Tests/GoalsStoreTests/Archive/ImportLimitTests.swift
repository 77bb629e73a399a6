import GoalsCore
import GoalsWire
import JSON
import Testing

@testable import GoalsStore

@Suite("An import of a goal that changed often") struct ImportLimitTests {
  private static let goal = Goal.ID(high: 0, low: 1)

  /// An export of one goal, made, and turned on and off so many times.
  private static func export(turns: Int) throws -> [UInt8] {
    let calendar = CalendarSettings.initial
    var bytes = ExportLine.first(calendar)
    var chain = ChainMaker.start(calendar)
    let title = try #require(Title("Yoga"))
    for number in 0...turns {
      let edit: Edit =
        number == 0
        ? Edit(.add(Goal(id: goal, title: title)))
        : Edit(.setActivity(.keyed([goal: !number.isMultiple(of: 2)])))
      let instant = Instant(milliseconds: 1_577_836_800_000 + Int64(number))
      let recorded = RecordedEdit(
        version: Version(number + 1), id: ID(high: 1, low: UInt64(number)), at: instant,
        recordedAt: instant, device: "phone", edit: edit,
        reversal: { _ in Reversal(.setActivity([:])) })
      var json = JSONWriter()
      try #require(recorded).write(to: &json)
      chain = ChainMaker.next(
        after: chain, format: ChainMaker.payloadFormat, payload: json.bytes)
      bytes += json.bytes + [.lineFeed]
    }
    return bytes + ExportLine.last(Version(turns + 1), chain)
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
  }
}
