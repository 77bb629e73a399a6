import GoalsCore
import JSON
import Testing

@testable import GoalsWire

@Suite("A body with a great deal wrong")
struct LimitTests {
  @Test("has a hundred faults told, and that there are more", arguments: [99, 100, 101, 5000])
  func manyFaults(count: Int) throws {
    let activity = "[" + Array(repeating: "1", count: count).joined(separator: ",") + "]"
    let found = try faults(
      of: object([
        ("id", quoted(ID<Edit>.of(1).description)), ("type", quoted("setActivity")),
        ("activity", activity),
      ]))
    #expect(found.count == min(count, 101))
    #expect(found.first?.pointer == "/activity/0")
    #expect((found.last?.detail == "more is wrong here than is told") == (count > 100))
  }

  @Test(
    "is not read where an activity is of more goals than there can be", arguments: [10_000, 10_001])
  func longActivity(count: Int) throws {
    let activity = "[" + Array(repeating: "true", count: count).joined(separator: ",") + "]"
    let read = Activity.read(try parsed(activity), at: .root["activity"])
    switch read {
    case .valid: #expect(count == 10_000)
    case .invalid(let found): #expect(found.map(\.pointer) == ["/activity"] && count == 10_001)
    }
  }

  @Test("is not read where an object has more fields than any here", arguments: [1000, 1001])
  func wideObject(count: Int) throws {
    let body = object((0..<count).map { ("k\($0)", "1") })
    var reader = ObjectReader(try parsed(body))
    #expect(reader.isObject == (count == 1000))
    let found = reader.finish()
    #expect(found.count == (count == 1000 ? 101 : 1))
    #expect(count == 1000 || found.map(\.pointer) == [""])
  }

  @Test("is not read where a field's name is too long", arguments: [256, 257])
  func longName(length: Int) throws {
    let reader = ObjectReader(
      try parsed(object([(String(repeating: "a", count: length), "1")])))
    #expect(reader.isObject == (length == 256))
  }

  @Test(
    "has no text of more than 64 KiB, whatever is trimmed from it", arguments: [65_535, 65_536])
  func longText(blanks: Int) throws {
    let value = try parsed(quoted(String(repeating: " ", count: blanks) + "a"))
    #expect((Reading<Title>.title.read(value) != nil) == (blanks == 65_535))
  }
}
