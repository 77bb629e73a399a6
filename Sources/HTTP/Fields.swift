/// Header fields in the order in which they were sent, found by name in any case.
///
/// They cannot break a message: a name is a token, and a value holds no control character but the
/// tab, so neither can end its line.
package struct Fields: Sendable, Equatable {
  package struct Field: Sendable, Equatable {
    package let name: FieldName
    package let value: String

    /// CR, LF, NUL and the other controls in a value become spaces, as RFC 9110 §5.5 allows; white
    /// space at its ends goes.
    package init(_ name: FieldName, _ value: String) {
      self.name = name
      self.value = Fields.cleaned(value)
    }

    /// A value that the parser has checked.
    init(checked name: FieldName, _ value: String) {
      self.name = name
      self.value = value
    }
  }

  private(set) package var all: [Field] = []

  package init() {}

  package init(_ fields: [Field]) { all = fields }

  /// The first value of this name. Setting replaces every field of the name; nil removes them.
  package subscript(_ name: FieldName) -> String? {
    get { all.first { $0.name == name }?.value }
    set {
      guard let newValue else { return all.removeAll { $0.name == name } }
      let field = Field(name, newValue)
      if let index = all.firstIndex(where: { $0.name == name }) {
        all.removeAll { $0.name == name }
        all.insert(field, at: index)
      } else {
        all.append(field)
      }
    }
  }

  /// Every value of this name, in order.
  package func values(_ name: FieldName) -> [String] {
    all.lazy.filter { $0.name == name }.map(\.value)
  }

  /// The one value of this name; nil where there is none, or more than one.
  package func only(_ name: FieldName) -> String? {
    guard let index = all.firstIndex(where: { $0.name == name }),
      !all[(index + 1)...].contains(where: { $0.name == name })
    else { return nil }
    return all[index].value
  }

  package func contains(_ name: FieldName) -> Bool { all.contains { $0.name == name } }

  /// The elements of a comma-separated list, over every field of this name (RFC 9110 §5.6.1), empty
  /// ones left out. It does not know quoted strings, so it serves lists of tokens only.
  package func list(_ name: FieldName) -> [String] { elements(name, mayBeQuoted: false) }

  /// The elements of a list of entity tags, over every field of this name (RFC 9110 §8.8.3,
  /// §13.1.1), empty ones left out: a comma between double quotes is part of a tag.
  package func entityTags(_ name: FieldName) -> [String] { elements(name, mayBeQuoted: true) }

  private func elements(_ name: FieldName, mayBeQuoted: Bool) -> [String] {
    values(name).flatMap { value in
      var isQuoted = false
      let elements = Array(value.utf8).split { byte in
        if byte == ASCII.quote, mayBeQuoted { isQuoted.toggle() }
        return byte == ASCII.comma && !isQuoted
      }
      return elements.compactMap { element in
        let text = ASCII.trimmed(element)
        return text.isEmpty ? nil : String(decoding: text, as: UTF8.self)
      }
    }
  }

  /// Whether a comma-separated list of tokens holds this one, in any case.
  package func list(_ name: FieldName, contains token: String) -> Bool {
    contains(name) && list(name).contains { ASCII.equal($0, token) }
  }

  /// Adds a field and leaves others of the same name as they are.
  package mutating func append(_ name: FieldName, _ value: String) {
    all.append(Field(name, value))
  }

  package mutating func append(_ field: Field) { all.append(field) }

  /// Makes room for so many fields at once.
  package mutating func reserveCapacity(_ count: Int) { all.reserveCapacity(count) }

  private static func cleaned(_ value: String) -> String {
    var value = value
    if value.withUTF8(isClean) { return value }
    let spaced = value.utf8.map { ASCII.isControl($0) ? ASCII.space : $0 }
    return String(decoding: ASCII.trimmed(spaced[...]), as: UTF8.self)
  }

  private static func isClean(_ value: UnsafeBufferPointer<UInt8>) -> Bool {
    guard let first = value.first, let last = value.last else { return true }
    return !ASCII.isSpace(first) && !ASCII.isSpace(last)
      && ASCII.firstControl(value, from: 0) == value.count
  }
}

extension Fields: ExpressibleByDictionaryLiteral {
  package init(dictionaryLiteral elements: (FieldName, String)...) {
    all = elements.map { Field($0, $1) }
  }
}
