import GoalsCore
import Testing

@Suite("A zone read from a TZif file")
struct ZoneTests {
  @Test(
    "is read in every version of the format",
    arguments: [UInt8(0), UInt8(ascii: "2"), UInt8(ascii: "3"), UInt8(ascii: "4")])
  func versions(version: UInt8) throws {
    let file = TZifFile(version: version, offsets: [-600, 3600], changes: [(1000, 1)])
    let zone = try Zone(name: .utc, tzif: file.bytes)
    #expect(zone.offset(at: Instant(milliseconds: 999_999)) == -600)
    #expect(zone.offset(at: Instant(milliseconds: 1_000_000)) == 3600)
    #expect(zone.offset(at: Instant(milliseconds: .min)) == -600)
    #expect(zone.offset(at: Instant(milliseconds: .max)) == 3600)
  }

  @Test("has its 64-bit times, not the 32-bit ones before them")
  func wideTimes() throws {
    let file = TZifFile(offsets: [0, 60], changes: [(1 << 33, 1)])
    let zone = try Zone(name: .utc, tzif: file.bytes)
    #expect(zone.offset(at: Instant(seconds: (1 << 33) - 1)) == 0)
    #expect(zone.offset(at: Instant(seconds: 1 << 33)) == 60)
  }

  @Test("may follow a rule alone")
  func ruleAlone() throws {
    let zone = try TimeFixtures.zone(initial: 7, footer: "<+0130>-1:30")
    #expect(zone.offset(at: Instant(milliseconds: 0)) == 5400)
    #expect(zone.offset(at: Instant(milliseconds: .min)) == 5400)
    #expect(zone.offset(at: Instant(milliseconds: .max)) == 5400)
  }

  @Test("equals another of the same name and content only")
  func equality() throws {
    let berlin = try TimeFixtures.zone("Europe/Berlin")
    #expect(try berlin == TimeFixtures.zone("Europe/Berlin"))
    #expect(try berlin.hashValue == TimeFixtures.zone("Europe/Berlin").hashValue)
    #expect(try berlin != TimeFixtures.zone("Europe/Paris"))
    let bytes = try TimeFixtures.bytes(of: "Europe/Berlin")
    #expect(try berlin != Zone(name: .utc, tzif: bytes))
    #expect(Zone.utc.name.text == "UTC")
    #expect(Zone.utc.offset(at: Instant.at("2026-07-01T00:00:00Z")) == 0)
  }

  static let refusals: [(String, ZoneError, [UInt8])] = [
    ("nothing", .truncated, []),
    ("not TZif", .notTZif, Array("#!/bin/sh\nexit 0\n".utf8)),
    ("version 1 by name", .notTZif, TZifFile(version: UInt8(ascii: "1")).bytes),
    ("too large", .tooLarge, [UInt8](repeating: 0, count: 65_537)),
    ("no types", .invalidCounts, TZifFile(offsets: []).bytes),
    ("no designations", .invalidCounts, TZifFile(designations: []).bytes),
    (
      "more indicators than types", .invalidCounts,
      TZifFile(standardIndicators: 2).bytes
    ),
    ("leap seconds", .leapSeconds, TZifFile(leapSeconds: 1).bytes),
    ("an offset of 26 hours", .invalidOffset, TZifFile(offsets: [93_600]).bytes),
    ("an offset of -25 hours", .invalidOffset, TZifFile(offsets: [-90_000]).bytes),
    (
      "two changes at once", .invalidChange,
      TZifFile(offsets: [0, 60], changes: [(5, 1), (5, 0)]).bytes
    ),
    (
      "a change in the wrong order", .invalidChange,
      TZifFile(offsets: [0, 60], changes: [(6, 1), (5, 0)]).bytes
    ),
    (
      "a change before the universe", .invalidChange,
      TZifFile(offsets: [0, 60], changes: [(.min, 1)]).bytes
    ),
    ("a type that is not there", .invalidType, TZifFile(changes: [(5, 1)]).bytes),
    ("a wrong rule", .invalidRule, TZifFile(footer: "CET").bytes),
    ("no footer", .truncated, TZifFile().bytes.dropLast(2)),
    ("an open footer", .truncated, TZifFile(footer: "UTC0").bytes.dropLast()),
  ]

  @Test("is refused with the reason where the file is wrong", arguments: refusals.map(BadFile.init))
  func refusing(file: BadFile) {
    #expect(throws: file.error) { try Zone(name: .utc, tzif: file.bytes) }
    #expect(!file.error.description.isEmpty)
  }

  /// A file that is wrong, named for what is wrong with it: its bytes would fill the test's log.
  struct BadFile: CustomTestStringConvertible, Sendable {
    let what: String
    let error: ZoneError
    let bytes: [UInt8]

    var testDescription: String { what }
  }

  @Test("may have the outermost offsets")
  func outermostOffsets() throws {
    let file = TZifFile(offsets: [-89_999, 93_599], changes: [(0, 1)])
    let zone = try Zone(name: .utc, tzif: file.bytes)
    #expect(zone.offset(at: Instant(seconds: -1)) == -89_999)
    #expect(zone.offset(at: Instant(seconds: 0)) == 93_599)
  }

  @Test("may have a file of the maximum size")
  func maximumSize() throws {
    let padding = [UInt8](repeating: 0, count: Zone.maximumSize - TZifFile().bytes.count)
    #expect(throws: Never.self) { try Zone(name: .utc, tzif: TZifFile().bytes + padding) }
  }

  @Test("is refused at every shorter length", arguments: [UInt8(0), UInt8(ascii: "2")])
  func truncation(version: UInt8) throws {
    let bytes = TZifFile(
      version: version, offsets: [0, 60], changes: [(5, 1), (6, 0)], footer: "UTC0",
      standardIndicators: 2
    ).bytes
    #expect(throws: Never.self) { try Zone(name: .utc, tzif: bytes) }
    for length in bytes.indices {
      #expect(throws: ZoneError.self) { try Zone(name: .utc, tzif: Array(bytes.prefix(length))) }
    }
  }
}

@Suite("The rule in a TZif footer (RFC 9636 §3.3.1)")
struct ZoneRuleTests {
  @Test(
    "gives the offset in any year",
    arguments: [
      // RFC 9636: "EST5EDT" with the dates of the United States, and always daylight saving.
      ("EST5EDT,M3.2.0,M11.1.0", "2050-03-13T06:59:59Z", -18000),
      ("EST5EDT,M3.2.0,M11.1.0", "2050-03-13T07:00:00Z", -14400),
      ("EST5EDT,M3.2.0,M11.1.0", "2050-11-06T05:59:59Z", -14400),
      ("EST5EDT,M3.2.0,M11.1.0", "2050-11-06T06:00:00Z", -18000),
      ("XXX3EDT4,0/0,J365/23", "2050-01-01T03:00:00Z", -14400),
      ("XXX3EDT4,0/0,J365/23", "2050-01-01T02:59:59Z", -14400),
      ("XXX3EDT4,0/0,J365/23", "2050-07-01T00:00:00Z", -14400),
      // Days before midnight, and long after it: Nuuk, and Gaza as it was in 2025.
      ("<-02>2<-01>,M3.5.0/-1,M10.5.0/0", "2030-03-31T00:59:59Z", -7200),
      ("<-02>2<-01>,M3.5.0/-1,M10.5.0/0", "2030-03-31T01:00:00Z", -3600),
      ("EET-2EEST,M3.4.4/50,M10.4.4/50", "2030-03-29T23:59:59Z", 7200),
      ("EET-2EEST,M3.4.4/50,M10.4.4/50", "2030-03-30T00:00:00Z", 10800),
      // Winter time as the exception, by less than an hour, and over the turn of the year.
      ("IST-1GMT0,M10.5.0,M3.5.0/1", "2030-07-01T00:00:00Z", 3600),
      ("IST-1GMT0,M10.5.0,M3.5.0/1", "2030-12-31T23:59:59Z", 0),
      ("<+1030>-10:30<+11>-11,M10.1.0,M4.1.0", "2030-01-01T00:00:00Z", 39600),
      ("<+1030>-10:30<+11>-11,M10.1.0,M4.1.0", "2030-07-01T00:00:00Z", 37800),
      // Julian days: J60 is March 1st in every year, 59 February 29th in a leap year.
      ("AAA0BBB,J60/0,J61/0", "2028-03-01T12:00:00Z", 3600),
      ("AAA0BBB,J60/0,J61/0", "2027-03-01T12:00:00Z", 3600),
      ("AAA0BBB,J60/0,J61/0", "2028-02-29T12:00:00Z", 0),
      ("AAA0BBB,59/0,60/0", "2028-02-29T12:00:00Z", 3600),
      ("AAA0BBB,59/0,60/0", "2027-03-01T12:00:00Z", 3600),
      ("AAA0BBB,59/0,60/0", "2028-03-01T12:00:00Z", 0),
      // Changeovers that fall into the year before, or after.
      ("AAA0BBB,0/-167,J60/0", "2029-12-25T01:00:00Z", 3600),
      ("AAA0BBB,0/-167,J60/0", "2029-12-25T00:59:59Z", 0),
      ("AAA0BBB,J200/0,J365/167", "2030-01-06T21:59:59Z", 3600),
      ("AAA0BBB,J200/0,J365/167", "2030-01-06T22:00:00Z", 0),
      // The outermost offsets, with all the parts of a time.
      ("AAA24:59:59", "2030-01-01T00:00:00Z", -89999),
      ("AAA-24:59:59BBB,J1/0,J365/24", "2030-07-01T00:00:00Z", 93599),
      ("<-03>+3", "2030-01-01T00:00:00Z", -10800),
    ] as [(String, String, Int32)])
  func offsets(footer: String, instant: String, offset: Int32) throws {
    let instant = Instant.at(instant)
    #expect(try TimeFixtures.zone(initial: 0, footer: footer).offset(at: instant) == offset)
    // With a change before it, the rule's changes to 2100 are listed as well.
    let listed = try TimeFixtures.zone(initial: 0, changes: [(0, 0)], footer: footer)
    #expect(listed.offset(at: instant) == offset)
  }

  @Test(
    "is refused where it is none",
    arguments: [
      " ", "5", "UTC", "UT0", "<UT>0", "<UTC0", "<U.C>0", "UTC0 ", "UTC+", "UTC25", "UTC-25",
      "UTC0:60", "UTC0:00:60", "UTC0:", "UTC1000", "EST5EDT", "EST5EDT,", "EST5EDT,M3.2.0",
      "EST5EDT,M3.2.0,", "EST5EDT,M0.2.0,M11.1.0", "EST5EDT,M13.2.0,M11.1.0",
      "EST5EDT,M3.0.0,M11.1.0", "EST5EDT,M3.6.0,M11.1.0", "EST5EDT,M3.2.7,M11.1.0",
      "EST5EDT,M3.2,M11.1.0", "EST5EDT,J0,J1", "EST5EDT,J366,J1", "EST5EDT,366,1",
      "EST5EDT,M3.2.0/168,M11.1.0", "EST5EDT,M3.2.0/-168,M11.1.0", "EST5EDT,M3.2.0/,M11.1.0",
      "EST5EDT,M3.2.0,M11.1.0 ", "EST5ED4,M3.2.0,M11.1.0", "EST5EDT4:,M3.2.0,M11.1.0",
      ":America/New_York", "EST5EDT,,M11.1.0", "EST--5", "é5", "EST5EDT,Mé",
    ])
  func refusing(footer: String) {
    #expect(throws: ZoneError.invalidRule) { try TimeFixtures.zone(initial: 0, footer: footer) }
  }

  @Test("goes on from the last change that is listed")
  func joint() throws {
    // Listed until 2030-07-01, with an offset that is not the rule's.
    let last = Instant.at("2030-07-01T00:00:00Z")
    let zone = try TimeFixtures.zone(
      initial: 60, changes: [(0, 120), (last.seconds, 180)], footer: "EST5EDT,M3.2.0,M11.1.0")
    #expect(zone.offset(at: Instant(seconds: -1)) == 60)
    #expect(zone.offset(at: last.adding(milliseconds: -1)) == 120)
    #expect(zone.offset(at: last) == -14400)
  }
}
