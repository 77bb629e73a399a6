import GoalsCore
import Testing

@testable import GoalsStore

/// Anybody can make an export: its chain has no key. Edits that no server records would be read
/// back as others, or not at all.
@Suite("An export of what can't have happened") struct ImpossibleLogTests {
  private static func goal(_ number: UInt64) -> Goal.ID { Goal.ID(high: 0, low: number) }

  private static func add(_ number: UInt64) throws -> Edit {
    Edit(.add(Goal(id: goal(number), title: try #require(Title("Yoga")))))
  }

  /// An undo of the edit at an index.
  private static func undo(_ index: UInt64) -> Edit { Edit(.undo(ID(high: 1, low: index))) }

  private static let on = Edit(.setActivity(.keyed([goal(1): true])))

  private static func bump(_ amount: Int) throws -> Edit {
    Edit(.bump(goal(1), by: try #require(Increment(amount)), note: nil))
  }

  /// Each is refused for its last edit.
  private static func logs() throws -> [(edits: [Edit], detail: String)] {
    let (add1, add2) = (try add(1), try add(2))
    let (gone, delete) = ("There is no goal", Edit(.delete(goal(1))))
    let renamed = Edit(.alter(goal(1), [.retitling(to: try #require(Title("Run")))]))
    let again = Edit(.alter(goal(1), [.retitling(to: try #require(Title("Swim")))]))
    return [
      ([add1, add2, delete, Edit(.move(goal(1), before: nil))], gone),
      ([add1, add2, undo(0), Edit(.move(goal(1), before: goal(2)))], gone),
      ([add1, Edit(.move(goal(1), before: goal(9)))], gone),
      ([add1, delete, delete], gone),
      ([add1, delete, renamed], gone),
      ([add1, delete, on], gone),
      ([add1, delete, add1], "in use"),
      ([add1, try bump(1)], "inactive"),
      ([add1, on, try bump(1), try bump(-2)], "fall below"),
      ([add1, Edit(.skip(goal(1)))], "inactive"),
      ([add1, on, undo(1), undo(1)], "undone already"),
      ([add1, renamed, again, undo(1)], "overtaken"),
    ]
  }

  @Test("is refused by the line of the edit, and its first lines alone are not")
  func refused() throws {
    for log in try Self.logs() {
      #expect(throws: Never.self) {
        try ImportedLog(reading: Export.bytes(of: log.edits.dropLast()))
      }
      var importer = LogImporter(try Export.bytes(of: log.edits))
      var fault: ImportFault?
      do throws(ImportFault) {
        while try importer.read(bytes: 1) == nil {}
      } catch {
        fault = error
      }
      #expect(fault?.line == log.edits.count + 1, "\(log.edits)")
      #expect(fault?.detail.contains("can't have been recorded here: ") == true)
      #expect(fault?.detail.contains(log.detail) == true, "\(fault?.detail ?? "taken")")
    }
  }

  @Test("is refused where a list gets longer than the server's may")
  func tooLong() throws {
    let edits = try (1...3).map { try Self.add($0) }
    for most in [2, 3] {
      var importer = LogImporter(try Export.bytes(of: edits), maximumGoals: most)
      var fault: ImportFault?
      do throws(ImportFault) {
        while try importer.read(bytes: .max) == nil {}
      } catch {
        fault = error
      }
      #expect(fault?.line == (most == 2 ? 4 : nil))
    }
  }
}
