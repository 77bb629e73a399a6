/// A value that a parameter of a statement takes.
package protocol Parameter {
  func bind(to statement: Statement, at parameter: Int) throws(SQLiteError)
}

extension Int64: Parameter {
  package func bind(to statement: Statement, at parameter: Int) throws(SQLiteError) {
    try statement.bind(self, at: parameter)
  }
}

extension Int: Parameter {
  package func bind(to statement: Statement, at parameter: Int) throws(SQLiteError) {
    try statement.bind(Int64(self), at: parameter)
  }
}

/// 1 for true and 0 for false.
extension Bool: Parameter {
  package func bind(to statement: Statement, at parameter: Int) throws(SQLiteError) {
    try statement.bind(self ? 1 : 0, at: parameter)
  }
}

extension String: Parameter {
  package func bind(to statement: Statement, at parameter: Int) throws(SQLiteError) {
    try statement.bind(self, at: parameter)
  }
}

/// A blob.
extension [UInt8]: Parameter {
  package func bind(to statement: Statement, at parameter: Int) throws(SQLiteError) {
    try statement.bind(blob: span, at: parameter)
  }
}

/// A text by its bytes. Whether they are UTF-8 is not checked.
package struct UTF8Text: Parameter {
  private let bytes: [UInt8]

  package init(_ bytes: [UInt8]) { self.bytes = bytes }

  package func bind(to statement: Statement, at parameter: Int) throws(SQLiteError) {
    try statement.bind(text: bytes.span, at: parameter)
  }
}

extension Value: Parameter {
  package func bind(to statement: Statement, at parameter: Int) throws(SQLiteError) {
    try statement.bind(value: self, at: parameter)
  }
}

/// Null for nil.
extension Optional: Parameter where Wrapped: Parameter {
  package func bind(to statement: Statement, at parameter: Int) throws(SQLiteError) {
    if let self {
      try self.bind(to: statement, at: parameter)
    } else {
      try statement.bindNull(at: parameter)
    }
  }
}
