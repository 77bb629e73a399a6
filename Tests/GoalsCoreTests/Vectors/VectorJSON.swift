import Foundation

/// A JSON value, read by Foundation: the vectors are read independently of the project's own JSON.
enum VectorJSON: Decodable, Hashable, Sendable {
  case null
  case bool(Bool)
  case number(Double)
  case text(String)
  case array([VectorJSON])
  case object([String: VectorJSON])

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let value = try? container.decode(Bool.self) {
      self = .bool(value)
    } else if let value = try? container.decode(Double.self) {
      self = .number(value)
    } else if let value = try? container.decode(String.self) {
      self = .text(value)
    } else if let value = try? container.decode([VectorJSON].self) {
      self = .array(value)
    } else {
      self = .object(try container.decode([String: VectorJSON].self))
    }
  }

  var bool: Bool? { if case .bool(let value) = self { value } else { nil } }
  var text: String? { if case .text(let value) = self { value } else { nil } }
  var array: [VectorJSON]? { if case .array(let value) = self { value } else { nil } }
  var object: [String: VectorJSON]? { if case .object(let value) = self { value } else { nil } }

  /// Nil unless it is a whole number.
  var integer: Int? { if case .number(let value) = self { Int(exactly: value) } else { nil } }

  /// Nil where it is no object, or has no such field.
  subscript(field: String) -> VectorJSON? { object?[field] }
}

/// A file of vectors.
struct VectorFile {
  static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Vectors")

  let description: String
  let states: [String: VectorJSON]
  let vectors: [VectorJSON]

  init(_ name: String) throws {
    let data = try Data(contentsOf: Self.folder.appending(path: name))
    let json = try JSONDecoder().decode(VectorJSON.self, from: data)
    description = json["description"]?.text ?? ""
    states = json["states"]?.object ?? [:]
    vectors = json["vectors"]?.array ?? []
  }
}

/// The zone of this name in the system's database, if it has one.
func systemZoneFile(_ name: String) -> [UInt8]? {
  FileManager.default.contents(atPath: "/usr/share/zoneinfo/\(name)").map { [UInt8]($0) }
}
