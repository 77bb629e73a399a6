import TestSupport
import Testing

@testable import GoalsClient

@Suite("A line with a checksum") struct CheckedLineTests {
  private static let text = Array(#"{"format":1,"own":[{"edit":{"by":1}}]}"#.utf8)
  private static let line = Array(CheckedLine.bytes(of: text).dropLast())

  private func flipped(_ bits: Int..., of line: [UInt8] = line) -> CheckedLine {
    var other = line
    for bit in bits { other[bit / 8] ^= 1 << (bit % 8) }
    return CheckedLine(other)
  }

  @Test("ends in the checksum of its text, as others count it")
  func sum() {
    #expect(CheckedLine.sum(of: Array("123456789".utf8)) == 0xCBF4_3926)
    #expect(CheckedLine.bytes(of: []) == Array(" 00000000\n".utf8))
    #expect(CheckedLine(Self.line).text == Self.text && CheckedLine(Self.line).isIntact)
  }

  @Test("is put right where one bit is another one")
  func one() {
    for bit in 0..<Self.line.count * 8 {
      let read = flipped(bit)
      #expect(read.text == Self.text && read.isIntact, "flipped \(bit)")
    }
  }

  @Test("is never another text where two bits are")
  func two() {
    for first in stride(from: 0, to: Self.text.count * 8, by: Tier.volume(11, all: 1)) {
      for second in first + 1..<Self.text.count * 8 {
        guard flipped(first, second).isIntact else { continue }
        Issue.record("flipped \(first) and \(second)")
        return
      }
    }
  }

  @Test("is put right up to the length at which that is sure", arguments: [11_450, 11_451])
  func longest(length: Int) {
    let line = CheckedLine.bytes(of: [UInt8](repeating: 0x61, count: length)).dropLast()
    #expect(flipped(1000, of: Array(line)).isIntact == (length == 11_450))
  }

  @Test("without a checksum is from before there were any")
  func before() {
    for text in [[], Array("{}".utf8), Self.text] {
      #expect(CheckedLine(text).text == text && CheckedLine(text).isIntact)
    }
  }
}
