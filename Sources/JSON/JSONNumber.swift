/// A number of a document, as it was written.
package struct JSONNumber: Sendable {
  let tape: JSONTape
  let index: Int

  /// The number as it stands in the text, in the form of RFC 8259 §6.
  package var text: String { String(decoding: bytes, as: UTF8.self) }

  /// The exact integer, in any spelling (`3`, `3.0`, `30e-1`); nil where the number has a fraction
  /// or does not fit `Int64`. Takes the time of reading the text once, whatever the exponent.
  package var integer: Int64? {
    Self.plainInteger(bytes) ?? Self.integer(bytes)
  }

  var bytes: ArraySlice<UInt8> {
    let word = tape.words[index]
    let start = Int(word.start)
    return tape.bytes[start..<start + word.length]
  }

  /// The common case: nothing but digits after the sign, and too few to overflow.
  private static func plainInteger(_ text: ArraySlice<UInt8>) -> Int64? {
    let isNegative = text.first == .minus
    let digits = isNegative ? text.dropFirst() : text
    guard digits.count <= 18 else { return nil }
    var magnitude: Int64 = 0
    for digit in digits {
      guard digit.isDigit else { return nil }
      magnitude = magnitude * 10 + Int64(digit - .zero)
    }
    return isNegative ? -magnitude : magnitude
  }

  /// Any spelling. The digits before and after the point are one whole number. Its last digit
  /// counts ten to the power of the exponent minus the number of digits after the point.
  private static func integer(_ text: ArraySlice<UInt8>) -> Int64? {
    var magnitude: UInt64 = 0
    var pendingZeros: Int64 = 0
    var power: Int64 = 0
    var isBehindPoint = false
    var rest = text
    let isNegative = rest.first == .minus
    if isNegative { rest.removeFirst() }
    while let byte = rest.popFirst() {
      switch byte {
      case .point: isBehindPoint = true
      case .zero ... .nine:
        if isBehindPoint { power -= 1 }
        if byte == .zero {
          // Zeros after the last other digit only move the point.
          if magnitude > 0 { pendingZeros += 1 }
        } else {
          guard let longer = append(byte - .zero, to: magnitude, behind: pendingZeros) else {
            return nil
          }
          magnitude = longer
          pendingZeros = 0
        }
      // NB: open, every other byte
      default:
        power += exponent(rest)
        rest = []
      }
    }
    guard magnitude > 0 else { return 0 }
    guard let whole = scale(magnitude, by: power + pendingZeros) else { return nil }
    if isNegative, whole == Int64.min.magnitude { return .min }
    guard let value = Int64(exactly: whole) else { return nil }
    return isNegative ? -value : value
  }

  private static func append(_ digit: UInt8, to number: UInt64, behind zeros: Int64) -> UInt64? {
    guard let shifted = scale(number, by: zeros + 1) else { return nil }
    let (sum, overflows) = shifted.addingReportingOverflow(UInt64(digit))
    return overflows ? nil : sum
  }

  /// `number` times ten to the power of `power`; nil where that has a fraction or overflows.
  /// The last digit of `number` is not 0, so any negative power leaves a fraction.
  private static func scale(_ number: UInt64, by power: Int64) -> UInt64? {
    guard number > 0 else { return 0 }
    guard (0...19).contains(power) else { return nil }
    var result = number
    for _ in 0..<power {
      let (product, overflows) = result.multipliedReportingOverflow(by: 10)
      guard !overflows else { return nil }
      result = product
    }
    return result
  }

  /// The signed digits after the `e`. The value stops at 2⁴⁰, far above what the digits of any text
  /// can make up for.
  private static func exponent(_ digits: ArraySlice<UInt8>) -> Int64 {
    var value: Int64 = 0
    for digit in digits where digit.isDigit {
      value = min(value * 10 + Int64(digit - .zero), 1 << 40)
    }
    return digits.first == .minus ? -value : value
  }
}
