/// A value as SQLite keeps it, for the places where speed does not matter.
package enum Value: Equatable, Sendable {
  case null
  case integer(Int64)
  case real(Double)
  case text(String)
  case blob([UInt8])
}

extension Value: ExpressibleByIntegerLiteral, ExpressibleByStringLiteral {
  package init(integerLiteral value: Int64) { self = .integer(value) }
  package init(stringLiteral value: String) { self = .text(value) }
}

extension Value: CustomStringConvertible {
  package var description: String {
    switch self {
    case .null: "NULL"
    case .integer(let value): "\(value)"
    case .real(let value): "\(value)"
    case .text(let value): value
    case .blob(let bytes): "a blob of \(bytes.count) bytes"
    }
  }
}
