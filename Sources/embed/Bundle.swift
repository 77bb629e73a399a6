/// A module of JavaScript with those that it imports, as one: what a document loads comes in one
/// answer, and is compressed as one text.
///
/// Every module but the first is a function that is called at once, in the order in which a browser
/// would run the modules. The function returns what the module exports. All modules see the
/// exported names, whether they import them or not, and such a name hides the browser's own. So no
/// two exported names may be the same. The first module is a block, so that its names do not meet
/// the exported ones. Whole lines of comments and the white space that lines begin with are left
/// out.
///
/// Understood is what the modules here say: `import { a, b } from "./c.js";` on a line, `export`
/// before a constant, a function or a class, and texts that end on their line. Anything else is a
/// fault.
package struct Bundle {
  private let file: (String) -> String?
  private var open: [String] = []
  /// What each module that is written exports.
  private var done: [String: [Substring]] = [:]
  private var lines: [Substring] = []

  /// - Parameter file: the text of a file, by its name.
  package static func assembled(
    _ name: String, file: (String) -> String?
  ) throws(Embedding.Fault) -> String {
    try withoutActuallyEscaping(file) { file throws(Embedding.Fault) in
      var bundle = Bundle(file: file)
      try bundle.add(name, isFirst: true)
      return bundle.lines.joined(separator: "\n") + "\n"
    }
  }

  /// The module that a line of a document loads.
  package static func first(in line: Substring) -> String? {
    guard line.hasPrefix("<script type=module src="), line.hasSuffix("></script>"),
      let name = line.dropLast("></script>".count).split(separator: "/").last
    else { return nil }
    return String(name)
  }

  private init(file: @escaping (String) -> String?) { self.file = file }

  private mutating func add(_ name: String, isFirst: Bool = false) throws(Embedding.Fault) {
    guard done[name] == nil else { return }
    guard !open.contains(name) else {
      throw Embedding.Fault(description: "\(name): it imports itself, by others")
    }
    guard let text = file(name) else {
      throw Embedding.Fault(description: "\(name): a module names it, and it is not there")
    }
    open.append(name)
    var body: [Substring] = []
    var exports: [Substring] = []
    for line in try Self.code(of: text, in: name) {
      if line.hasPrefix("import ") {
        let (names, other) = try Self.imported(by: line, in: name)
        try add(other)
        for one in names.split(separator: ",") {
          let one = one.filter { $0 != " " }
          guard done[other]?.contains(one[...]) ?? false else {
            throw Embedding.Fault(description: "\(name): \(other) exports no \(one)")
          }
        }
      } else if line.hasPrefix("export ") {
        let rest = line.dropFirst("export ".count)
        exports.append(try Self.exported(by: rest, in: name))
        body.append(rest)
      } else {
        body.append(line)
      }
    }
    if isFirst {
      lines += ["{"] + body + ["}"]
    } else {
      let exported = "{ \(exports.joined(separator: ", ")) }"
      lines += ["const \(exported) = (() => {"] + body + ["return \(exported);", "})();"]
    }
    open.removeLast()
    for export in exports where done.values.contains(where: { $0.contains(export) }) {
      throw Embedding.Fault(description: "\(name): another module exports \(export), too")
    }
    done[name] = exports
  }

  /// The lines of a module that do something, without the white space that they begin with.
  private static func code(of text: String, in name: String) throws(Embedding.Fault) -> [Substring]
  {
    var code: [Substring] = []
    var isComment = false
    for line in text.split(separator: "\n") {
      let line = line.drop { $0 == " " || $0 == "\t" }
      if isComment || line.hasPrefix("/*") {
        isComment = !line.contains("*/")
        guard isComment || line.hasSuffix("*/") else {
          throw Embedding.Fault(description: "\(name): a comment ends before the line: \(line)")
        }
      } else if !line.isEmpty, !line.hasPrefix("//") {
        // A text of several lines would lose what its lines begin with.
        guard line.count(where: { $0 == "`" }).isMultiple(of: 2) else {
          throw Embedding.Fault(description: "\(name): a text goes on after the line: \(line)")
        }
        code.append(line)
      }
    }
    return code
  }

  private static func imported(
    by line: Substring, in name: String
  ) throws(Embedding.Fault) -> (names: Substring, file: String) {
    let start = "import {"
    let middle = "} from \"./"
    let end = "\";"
    guard line.hasPrefix(start), line.hasSuffix(end), let cut = line.firstRange(of: middle) else {
      throw Embedding.Fault(description: "\(name): not understood is the line: \(line)")
    }
    return (
      line[..<cut.lowerBound].dropFirst(start.count),
      String(line[cut.upperBound...].dropLast(end.count))
    )
  }

  private static func exported(
    by declaration: Substring, in name: String
  ) throws(Embedding.Fault) -> Substring {
    for start in ["const ", "function ", "async function ", "class "]
    where declaration.hasPrefix(start) {
      let exported = declaration.dropFirst(start.count).prefix {
        $0.isLetter || $0.isNumber || $0 == "_" || $0 == "$"
      }
      if !exported.isEmpty { return exported }
    }
    throw Embedding.Fault(description: "\(name): not understood is the export of: \(declaration)")
  }
}
