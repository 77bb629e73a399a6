import Testing

@testable import GoalsCore

@Suite("An id")
struct IDTests {
  private let text = "01234567-89ab-4def-8123-456789abcdef"

  @Test("is read in any case and printed in lower case")
  func cases() {
    let id = Goal.ID(text)
    #expect(id == Goal.ID(high: 0x0123_4567_89AB_4DEF, low: 0x8123_4567_89AB_CDEF))
    #expect(Goal.ID(text.uppercased()) == id)
    #expect(Goal.ID("01234567-89Ab-4dEF-8123-456789AbcDEf") == id)
    #expect(id?.description == text)
  }

  @Test(
    "may be any 128 bits",
    arguments: [
      "00000000-0000-0000-0000-000000000000", "ffffffff-ffff-ffff-ffff-ffffffffffff",
      "12345678-1234-0000-0000-123456789012",
    ])
  func anyVersion(_ text: String) {
    #expect(Goal.ID(text)?.description == text)
  }

  @Test(
    "is nothing but 36 characters with hyphens in their places",
    arguments: [
      "", "0", "0123456789ab4def8123456789abcdef", "{01234567-89ab-4def-8123-456789abcdef}",
      "01234567-89ab-4def-8123-456789abcde", "01234567-89ab-4def-8123-456789abcdef0",
      "0123456-789ab-4def-8123-456789abcdef", "01234567-89ab-4def-8123-456789abcdeg",
      "01234567_89ab_4def_8123_456789abcdef", " 1234567-89ab-4def-8123-456789abcdef",
      "01234567-89ab-4def-8123-456789abcd-f", "urn:uuid:01234567-89ab-4def-8123-456",
      "+1234567-89ab-4def-8123-456789abcdef", "0123456é-89ab-4def-8123-456789abcde",
    ])
  func refusal(_ text: String) {
    #expect(Goal.ID(text) == nil)
  }

  @Test("refuses every other character in every place", arguments: 0..<36)
  func places(_ place: Int) {
    var bytes = Array(text.utf8)
    let isHyphen = [8, 13, 18, 23].contains(place)
    for byte in UInt8.min...UInt8.max {
      bytes[place] = byte
      let isDigit =
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
        || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
        || (UInt8(ascii: "A")...UInt8(ascii: "F")).contains(byte)
      let read = bytes.withUnsafeBytes { Goal.ID(utf8: $0) }
      #expect((read != nil) == (isHyphen ? byte == UInt8(ascii: "-") : isDigit))
    }
  }

  @Test("is sixteen bytes, most significant first")
  func bytes() {
    let id = Goal.ID(high: 0x0001_0203_0405_0607, low: 0x0809_0A0B_0C0D_0E0F)
    #expect(id.bytes == Array(0..<16))
    #expect(Goal.ID(bytes: id.bytes) == id)
    #expect(Goal.ID(bytes: Array(0..<15)) == nil)
    #expect(Goal.ID(bytes: Array(0..<17)) == nil)
  }

  @Test("has the order of its bytes")
  func order() {
    let ids: [Goal.ID] = [
      ID(high: 1 << 63, low: 0), ID(high: 1, low: 0), ID(high: 0, low: .max), ID(high: 0, low: 1),
    ]
    #expect(ids.sorted() == ids.reversed())
    #expect(ids.map(\.description).sorted() == ids.sorted().map(\.description))
  }

  @Test("made of a time says the time, version 7 and variant 2, whatever the randomness")
  func timeOrdered() {
    let time = Instant.at("2026-11-20T12:00:00.123Z")
    for randomness: (UInt64, UInt64) in [(0, 0), (.max, .max)] {
      let text = Array(Goal.ID(time: time, randomness: randomness).description)
      let stamp = UInt64(String(text[0..<8] + text[9..<13]), radix: 16)
      #expect(stamp == UInt64(time.milliseconds))
      #expect(text[14] == "7")
      #expect(["8", "9", "a", "b"].contains(text[19]))
    }
    let later = Goal.ID(time: time.adding(milliseconds: 1), randomness: (0, 0))
    #expect(Goal.ID(time: time, randomness: (.max, .max)) < later)
    #expect(Goal.ID(time: time, randomness: (1, 2)) != Goal.ID(time: time, randomness: (1, 3)))
  }

  @Test("is made of any instant", arguments: [Int64.min, -1, 0, .max])
  func instants(_ milliseconds: Int64) {
    let id = Goal.ID(time: Instant(milliseconds: milliseconds), randomness: (0, 0))
    #expect(Array(id.description)[14] == "7")
  }
}
