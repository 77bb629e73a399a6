import GoalsCore
import Testing

@Suite("The text of an instant (RFC 3339)")
struct InstantTests {
  @Test(
    "is read with any offset, case and fraction",
    arguments: [
      ("1970-01-01T00:00:00Z", 0),
      ("2026-11-20T23:50:00.000Z", 1_795_218_600_000),
      ("2026-11-20t23:50:00z", 1_795_218_600_000),
      ("2026-11-21T05:35:00+05:45", 1_795_218_600_000),
      ("2026-11-20T14:20:00-09:30", 1_795_218_600_000),
      ("2026-11-20T23:50:00-00:00", 1_795_218_600_000),
      ("2026-11-21T05:35:00+0545", 1_795_218_600_000),
      ("2026-11-20t14:20:00.0-0930", 1_795_218_600_000),
      ("2026-11-21T23:49:00+23:59", 1_795_218_600_000),
      // The five examples of §5.8; 1996-12-20 is the same instant as 00:39:57 UTC.
      ("1985-04-12T23:20:50.52Z", 482_196_050_520),
      ("1996-12-19T16:39:57-08:00", 851_042_397_000),
      ("1996-12-20T00:39:57Z", 851_042_397_000),
      ("1990-12-31T23:59:60Z", 662_688_000_000),
      ("1990-12-31T15:59:60-08:00", 662_688_000_000),
      ("1937-01-01T12:00:27.87+00:20", -1_041_337_172_130),
      ("2000-01-01T00:00:00.1Z", 946_684_800_100),
      ("2000-01-01T00:00:00.12Z", 946_684_800_120),
      ("2000-01-01T00:00:00.1239999999999999999999999999999999Z", 946_684_800_123),
      ("1969-12-31T23:59:59.9999Z", -1),
      ("1969-12-31T23:59:59.0009Z", -1000),
      ("0000-01-01T00:00:00Z", -62_167_219_200_000),
      ("0000-02-29T00:00:00Z", -62_162_121_600_000),
      ("9999-12-31T23:59:59.999Z", 253_402_300_799_999),
      ("2000-02-29T00:00:00Z", 951_782_400_000),
    ] as [(String, Int64)])
  func reading(text: String, milliseconds: Int64) {
    #expect(Instant(text) == Instant(milliseconds: milliseconds))
    #expect(Instant(utf8: Array(text.utf8)) == Instant(milliseconds: milliseconds))
  }

  @Test(
    "may be a leap second at the end of any month in UTC, which is the next month's start",
    arguments: [
      ("2016-12-31T23:59:60Z", "2017-01-01T00:00:00.000Z"),
      ("2016-12-31T23:59:60.999Z", "2017-01-01T00:00:00.000Z"),
      ("2015-07-01T01:59:60+02:00", "2015-07-01T00:00:00.000Z"),
      ("2015-06-30T16:59:60.5-07:00", "2015-07-01T00:00:00.000Z"),
      ("2028-02-29T23:59:60Z", "2028-03-01T00:00:00.000Z"),
    ])
  func leapSecond(text: String, printed: String) {
    #expect(Instant(text)?.description == printed)
  }

  @Test(
    "is refused where it is no date-time",
    arguments: [
      "", "2026", "2026-11-20", "2026-11-20T23:50:00", "2026-11-20T23:50Z",
      "2026-11-20 23:50:00Z", "2026-11-20_23:50:00Z", "20261120T235000Z",
      "2026-11-20T23:50:00.Z", "2026-11-20T23:50:00,5Z", "2026-11-20T23:50:00.5",
      "2026-11-20T23:50:00+1:00", "2026-11-20T23:50:00+100", "2026-11-20T23:50:00+01",
      "2026-11-20T23:50:00+01:", "2026-11-20T23:50:00+01::00", "2026-11-20T23:50:00+01000",
      "2026-11-20T23:50:00+2400", "2026-11-20T23:50:00+0060",
      "2026-11-20T23:50:00+24:00", "2026-11-20T23:50:00+00:60", "2026-11-20T23:50:00Z ",
      " 2026-11-20T23:50:00Z", "2026-11-20T23:50:00Z\0", "2026-11-20T23:50:00ZZ",
      "2026-11-20T24:00:00Z", "2026-11-20T23:60:00Z", "2026-11-20T23:50:61Z",
      "2026-11-20T23:50:60Z", "2016-12-31T23:59:60+01:00", "2016-12-30T23:59:60Z",
      "2028-02-28T23:59:60Z", "2026-00-20T23:50:00Z", "2026-13-20T23:50:00Z",
      "2026-11-00T23:50:00Z", "2026-11-31T23:50:00Z", "2026-02-29T00:00:00Z",
      "2100-02-29T00:00:00Z", "1900-02-29T00:00:00Z", "02026-11-20T23:50:00Z",
      "+2026-11-20T23:50:00Z", "-001-11-20T23:50:00Z", "12026-11-20T23:50:00Z",
      "２０26-11-20T23:50:00Z", "2026-11-20T23:5x:00Z", "2026-1a-20T23:50:00Z",
      "0000-01-01T00:00:00+00:01", "9999-12-31T23:59:59-00:01", "9999-12-31T23:59:60Z",
    ])
  func refusing(text: String) {
    #expect(Instant(text) == nil)
  }

  @Test("is printed in UTC with milliseconds")
  func printing() {
    #expect(Instant(milliseconds: 1_795_218_600_007).description == "2026-11-20T23:50:00.007Z")
    #expect(Instant(milliseconds: -1).description == "1969-12-31T23:59:59.999Z")
    #expect(Instant.earliest.description == "0000-01-01T00:00:00.000Z")
    #expect(Instant.latest.description == "9999-12-31T23:59:59.999Z")
  }

  @Test("is that of the nearest instant with a text where there is none")
  func beyondText() {
    #expect(Instant(milliseconds: .min).description == "0000-01-01T00:00:00.000Z")
    #expect(Instant(milliseconds: .max).description == "9999-12-31T23:59:59.999Z")
    let tooLate = Instant.latest.adding(milliseconds: 1)
    #expect(tooLate > .latest && tooLate.description == "9999-12-31T23:59:59.999Z")
  }

  @Test("reads back as the same instant")
  func roundTrip() {
    var dice = SeededDice()
    for _ in 0..<2000 {
      let range = Instant.earliest.milliseconds...Instant.latest.milliseconds
      let instant = Instant(milliseconds: Int64.random(in: range, using: &dice))
      #expect(Instant(instant.description) == instant, dice.note)
    }
  }

  @Test("never traps the reader, whatever the bytes")
  func anyBytes() throws {
    var dice = SeededDice()
    let alphabet = Array("0123456789-:.TZtz+ \0é".utf8)
    for _ in 0..<5000 {
      var bytes = Array("2026-12-31T23:59:60.250+05:45".utf8)
      for _ in 0..<Int.random(in: 1...3, using: &dice) {
        let place = Int.random(in: bytes.indices, using: &dice)
        bytes[place] = try #require(alphabet.randomElement(using: &dice))
      }
      bytes.removeLast(Int.random(in: 0...3, using: &dice))
      if let instant = Instant(utf8: bytes) {
        #expect(Instant(instant.description) == instant, dice.note)
      }
    }
  }
}

@Suite("The arithmetic of instants")
struct InstantArithmeticTests {
  @Test(
    "rounds seconds towards the past",
    arguments: [
      (0, 0), (999, 0), (1000, 1), (-1, -1), (-1000, -1), (-1001, -2),
      (.max, 9_223_372_036_854_775), (.min, -9_223_372_036_854_776),
    ] as [(Int64, Int64)])
  func seconds(milliseconds: Int64, seconds: Int64) {
    #expect(Instant(milliseconds: milliseconds).seconds == seconds)
  }

  @Test("stops at the ends of its range")
  func saturation() {
    #expect(Instant(seconds: .max).milliseconds == .max)
    #expect(Instant(seconds: .min).milliseconds == .min)
    #expect(Instant(seconds: -2).milliseconds == -2000)
    #expect(Instant(milliseconds: .max).adding(milliseconds: 1).milliseconds == .max)
    #expect(Instant(milliseconds: .min).adding(milliseconds: -1).milliseconds == .min)
    #expect(Instant(milliseconds: 5).adding(milliseconds: -7).milliseconds == -2)
  }
}
