/// A value that can be written as JSON.
package protocol JSONWritable {
  /// Writes exactly one value.
  func write(to json: inout JSONWriter)
}

extension Optional: JSONWritable where Wrapped: JSONWritable {
  /// Writes nil as null.
  package func write(to json: inout JSONWriter) {
    if let self { self.write(to: &json) } else { json.null() }
  }
}

extension Array: JSONWritable where Element: JSONWritable {
  package func write(to json: inout JSONWriter) {
    json.array { json in
      for element in self { element.write(to: &json) }
    }
  }
}

extension String: JSONWritable {
  package func write(to json: inout JSONWriter) { json.string(self) }
}

extension Bool: JSONWritable {
  package func write(to json: inout JSONWriter) { json.bool(self) }
}

extension Int64: JSONWritable {
  package func write(to json: inout JSONWriter) { json.integer(self) }
}

extension Int: JSONWritable {
  package func write(to json: inout JSONWriter) { json.integer(Int64(self)) }
}

/// A quotient of two integers, written as one number: exactly where it is whole, else in the fewest
/// digits that distinguish it from any other `Double`. It is null where `divisor` is 0.
package struct JSONRatio: JSONWritable, Sendable {
  package let dividend: Int64
  package let divisor: Int64

  package init(_ dividend: Int64, over divisor: Int64) {
    self.dividend = dividend
    self.divisor = divisor
  }

  package func write(to json: inout JSONWriter) {
    guard divisor != 0 else { return json.null() }
    let (remainder, overflows) = dividend.remainderReportingOverflow(dividingBy: divisor)
    if remainder == 0, !overflows { return json.integer(dividend / divisor) }
    // The `description` of a finite `Double` is a number by RFC 8259 §6.
    json.raw((Double(dividend) / Double(divisor)).description.utf8)
  }
}

extension JSONValue: JSONWritable {
  /// Writes the value again: without the white space, with only the escapes that must be, and with
  /// the same names and numbers.
  package func write(to json: inout JSONWriter) {
    if let members {
      json.object { json in
        for (name, value) in members { json.member(named: name, value) }
      }
    } else if let elements {
      json.array { json in
        for element in elements { json.value(element) }
      }
    } else if let string {
      string.write(to: &json)
    } else if let number {
      number.write(to: &json)
    } else {
      json.value(bool)
    }
  }
}

extension JSONString: JSONWritable {
  package func write(to json: inout JSONWriter) {
    withUTF8 { utf8 in json.string(utf8: utf8) }
  }
}

extension JSONNumber: JSONWritable {
  package func write(to json: inout JSONWriter) { json.raw(bytes) }
}
