import JSON
import Testing

@Suite("A value")
struct ValueTests {
  @Test(
    "is of one kind and says nothing of the others",
    arguments: [
      ("null", .null), ("true", .bool), ("false", .bool), ("0", .number), ("-1", .number),
      (#""""#, .string), ("[]", .array), ("{}", .object),
    ] as [(String, JSONValue.Kind)])
  func kinds(text: String, kind: JSONValue.Kind) throws {
    let value = try value(text)
    #expect(value.kind == kind)
    #expect(value.isNull == (kind == .null))
    #expect((value.bool != nil) == (kind == .bool))
    #expect((value.number != nil) == (kind == .number))
    #expect((value.string != nil) == (kind == .string))
    #expect((value.elements != nil) == (kind == .array))
    #expect((value.members != nil) == (kind == .object))
  }

  @Test("is true or false as it is written")
  func bools() throws {
    #expect(try value("true").bool == true)
    #expect(try value("false").bool == false)
  }

  @Test("in an array comes in its place, nested ones whole")
  func elements() throws {
    let elements = try #require(try value(#"[1,[2,[3]],{"a":[4]},"5",[]]"#).elements)
    #expect(elements.count == 5)
    #expect(!elements.isEmpty)
    #expect(elements.map(\.kind) == [.number, .array, .object, .string, .array])
    #expect(
      elements.map { value in written { $0.value(value) } } == [
        "1", "[2,[3]]", #"{"a":[4]}"#, #""5""#, "[]",
      ])
  }

  @Test("in an object comes with its name, in the order of the text, repeated names too")
  func members() throws {
    let members = try #require(try value(#"{"b":{"x":[1]},"a":2,"b":3,"\u0062":4}"#).members)
    #expect(members.count == 4)
    #expect(!members.isEmpty)
    #expect(members.map { String($0.name) } == ["b", "a", "b", "b"])
    #expect(members.map { $0.value.number?.integer } == [nil, 2, 3, 4])
    #expect(Set(members.map(\.name)).count == 2)
  }

  @Test("of an empty array or object holds nothing")
  func empty() throws {
    for text in ["[]", "[ ]", "[[],[]]", "{}", "{ }"] {
      let value = try value(text)
      #expect((value.elements?.isEmpty ?? true) == (text != "[[],[]]"))
      #expect(value.members?.isEmpty ?? true)
      #expect(value.members?.count ?? 0 == 0)
      var members = value.members?.makeIterator()
      #expect(members?.next() == nil)
    }
  }

  @Test("can be walked more than once, and after its document is gone")
  func views() throws {
    func inner() throws -> JSONValue? {
      try JSONDocument(parsing: Array(#"{"a":["kept"]}"#.utf8)).root.members?
        .first { $0.name == "a" }?.value
    }
    let value = try #require(try inner())
    #expect(value.elements?.compactMap(\.string).map(String.init) == ["kept"])
    #expect(value.elements?.compactMap(\.string).map(String.init) == ["kept"])
  }
}
