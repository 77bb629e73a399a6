/// The reason why a text is not a JSON document, and the offset.
///
/// It quotes nothing of the text, so it may be shown and logged.
package struct JSONError: Error, Hashable, Sendable {
  package enum Reason: Hashable, Sendable, CaseIterable {
    case endOfInput
    case tooLong
    case tooDeep
    case byteOrderMark
    case expectedValue
    case expectedName
    case expectedColon
    case expectedCommaOrBrace
    case expectedCommaOrBracket
    case bytesAfterValue
    case unknownLiteral
    case leadingZero
    case expectedDigit
    case unescapedControl
    case unknownEscape
    case loneSurrogate
    case invalidUTF8
  }

  package let reason: Reason

  /// The offset, counted in bytes from 0, of the first byte that cannot be right. Where the text
  /// ends too early, the number of its bytes; where it is too long, the limit.
  package let offset: Int

  init(_ reason: Reason, at offset: Int) {
    self.reason = reason
    self.offset = offset
  }
}

extension JSONError: CustomStringConvertible {
  /// A sentence for a person.
  package var description: String { "\(reason.clause), at byte \(offset)." }
}

extension JSONError.Reason {
  fileprivate var clause: String {
    switch self {
    case .endOfInput: "The document ends too early"
    case .tooLong: "The document is too long"
    case .tooDeep: "Arrays and objects are nested too deeply"
    case .byteOrderMark: "A document must not begin with a byte order mark"
    case .expectedValue: "A value is missing"
    case .expectedName: "A member name in double quotes is missing"
    case .expectedColon: "A colon is missing after a member name"
    case .expectedCommaOrBrace: "A comma or a closing brace is missing"
    case .expectedCommaOrBracket: "A comma or a closing bracket is missing"
    case .bytesAfterValue: "Something follows the end of the document"
    case .unknownLiteral: "Only true, false and null are written without quotes"
    case .leadingZero: "A number must not begin with a superfluous zero"
    case .expectedDigit: "A digit is missing in a number"
    case .unescapedControl: "A control character in a string is not escaped"
    case .unknownEscape: "An escape in a string is not one of JSON's"
    case .loneSurrogate: "Half of a surrogate pair stands alone"
    case .invalidUTF8: "The text is not valid UTF-8"
    }
  }
}
