import JSON
import Testing

@Suite("The fields of an object")
struct FieldsTests {
  private func fields(_ text: String, atMost limit: Int = 100) throws -> JSONFields {
    JSONFields(try #require(try value(text).members), atMost: limit)
  }

  private func names(_ fields: JSONFields) -> [String] { fields.names.map { String($0) } }

  @Test("are taken by name, in any order, past whatever is nested in them")
  func taking() throws {
    var fields = try fields(#"{"a":[1,{"b":2}],"b":3,"":{"a":4},"c":[]}"#)
    #expect(names(fields) == ["a", "b", "", "c"])
    let b = fields.take("b")
    #expect(b?.value.number?.integer == 3)
    #expect(b?.repeats == 0)
    let again = fields.take("b")
    #expect(again == nil)
    let c = fields.take("c")
    #expect(c?.value.elements?.isEmpty == true)
    let empty = fields.take("")
    #expect(empty?.value.members?.count == 1)
    #expect(names(fields) == ["a"])
    let a = fields.take("a")
    #expect(a?.value.elements?.count == 2)
    #expect(fields.count == 0)
  }

  @Test("are found however their names are written, and by no other name")
  func spelling() throws {
    let fields = try fields(##"{"t\u0069tle":1,"é":2,"id":3}"##)
    #expect(fields["title"]?.number?.integer == 1)
    #expect(fields["é"]?.number?.integer == 2)
    #expect(fields["id"]?.number?.integer == 3)
    for other in ["titel", "Id", "i", "ids", ""] as [StaticString] { #expect(fields[other] == nil) }
    #expect(fields.count == 3)
  }

  @Test("are all taken where a name comes again: the first one's value, and how often it does")
  func repeats() throws {
    var fields = try fields(##"{"a":1,"b":2,"a":3,"\u0061":4,"c":5,"a":6}"##)
    let taken = fields.take("a")
    #expect(taken?.value.number?.integer == 1)
    #expect(taken?.repeats == 3)
    #expect(names(fields) == ["b", "c"])
  }

  @Test("are no more than were asked for", arguments: 0...4)
  func limit(limit: Int) throws {
    let fields = try fields(#"{"a":{"x":1},"b":[],"c":3}"#, atMost: limit)
    #expect(names(fields) == Array(["a", "b", "c"].prefix(limit)))
  }

  @Test("have names as long as they are written", arguments: [4, 5, 6, 7])
  func longNames(limit: Int) throws {
    #expect(try fields(##"{"ab":1,"\u0061":2}"##).hasName(longerThan: limit) == (limit < 6))
  }
}
