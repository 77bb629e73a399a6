import JSON
import TestSupport
import Testing

@Suite("A number")
struct NumberTests {
  @Test(
    "is a whole one, however it is spelt",
    arguments: [
      ("0", 0), ("-0", 0), ("0.0", 0), ("-0.000", 0), ("0e5", 0), ("0e-5", 0), ("0.0e99", 0),
      ("0e999999999999999999999999", 0), ("-0e-999999999999999999999999", 0),
      ("3", 3), ("3.0", 3), ("3.000", 3), ("30e-1", 3), ("300E-2", 3), ("0.3e1", 3), ("0.03e+2", 3),
      ("0.003e0000000000000000000000003", 3), ("-3", -3), ("-3.0", -3), ("-30e-1", -3),
      ("1e0", 1), ("1e3", 1000), ("1E+3", 1000), ("1.5e1", 15), ("12.50e2", 1250),
      ("1000000", 1_000_000), ("10.0", 10), ("100e-2", 1), ("1010e-1", 101), ("1.01e2", 101),
      ("1e18", 1_000_000_000_000_000_000), ("999999999999999999", 999_999_999_999_999_999),
      ("1000000000000000000", 1_000_000_000_000_000_000),
      ("9223372036854775807", .max), ("-9223372036854775808", .min),
      ("-9223372036854775807", -.max),
      ("9223372036854775807.000", .max), ("9.223372036854775807e18", .max),
      ("92233720368547758070e-1", .max), ("-9.223372036854775808E+18", .min),
      ("0.00000000000000000000000000000000000001e38", 1),
      ("100000000000000000000000000000000000000e-38", 1),
    ] as [(String, Int64)])
  func whole(text: String, integer: Int64) throws {
    let number = try #require(try value(text).number)
    #expect(number.integer == integer)
    #expect(number.text == text)
  }

  @Test(
    "is no whole one that Int64 holds",
    arguments: [
      "0.5", "-0.5", "3.1", "1e-1", "10e-2", "15e-1", "3.0000000000000000000000000000000001",
      "9223372036854775808", "-9223372036854775809", "9223372036854775807.5", "1e19", "-1e19",
      "18446744073709551615", "18446744073709551616", "18446744073709551617",
      "99999999999999999999", "9223372036854775808e0", "1e999999999999", "1e-999999999999",
      "-1e999999999999999999999999999999", "1e-999999999999999999999999999999",
      "1e9223372036854775807", "1e9223372036854775808", "1e18446744073709551616",
      "1e-9223372036854775808", "123456789012345678901234567890", "0.1e-1",
      "20000000000000000000", "92233720368547758080", "1e4294967296", "1e-4294967296",
    ])
  func notWhole(text: String) throws {
    let number = try #require(try value(text).number)
    #expect(number.integer == nil)
    #expect(number.text == text)
  }

  @Test("of a hundred thousand digits is read once and no more")
  func long() throws {
    let zeros = String(repeating: "0", count: 100_000)
    #expect(try value("1\(zeros)e-100000").number?.integer == 1)
    #expect(try value("0.\(zeros)1e100001").number?.integer == 1)
    #expect(try value("1\(zeros)").number?.integer == nil)
    #expect(try value("1.\(zeros)1").number?.integer == nil)
    #expect(try value("1e\(zeros)3").number?.integer == 1000)
  }

  @Test("made of random digits is what Swift makes of them")
  func random() throws {
    try forRandomSeeds(2000) { seed throws in
      var random = SeededDice(seed: seed)
      let integer = Int64(
        truncatingIfNeeded: random.next() >> UInt64.random(in: 0..<64, using: &random))
      #expect(try value(String(integer)).number?.integer == integer, "GOALS_TEST_SEED=\(seed)")
      #expect(try value("\(integer).00").number?.integer == integer, "GOALS_TEST_SEED=\(seed)")
      let moved = integer == 0 ? "0e-3" : "\(integer)000e-3"
      #expect(try value(moved).number?.integer == integer, "GOALS_TEST_SEED=\(seed)")
      #expect(try value("\(integer).01e1").number?.integer == nil, "GOALS_TEST_SEED=\(seed)")
    }
  }
}
