import Foundation
import Testing

@Suite("A file of vectors")
struct VectorFileTests {
  static let files =
    EditVectorTests.files + ["goals-edit-state.json", "history.json"]

  @Test("is run by a test, and there is none besides")
  func allAreRun() throws {
    let names = try FileManager.default.contentsOfDirectory(atPath: VectorFile.folder.path)
    // The engine's tests run what is in `engine`.
    let others = ["README.md", "engine"]
    #expect(names.filter { !others.contains($0) }.sorted() == Self.files.sorted())
  }

  @Test("is in the README")
  func readme() throws {
    let readme = try String(
      contentsOf: VectorFile.folder.appending(path: "README.md"), encoding: .utf8)
    for name in Self.files { #expect(readme.contains("`\(name)`"), "\(name)") }
  }

  @Test("is not empty, says what it is about, and names each vector once", arguments: files)
  func names(_ name: String) throws {
    let file = try VectorFile(name)
    let names = file.vectors.compactMap { $0["name"]?.text }
    #expect(names.count >= 15)
    #expect(names.count == file.vectors.count)
    #expect(Set(names).count == names.count)
    #expect(file.description.hasSuffix("."))
  }

  @Test("has no state that no vector uses", arguments: files)
  func states(_ name: String) throws {
    let file = try VectorFile(name)
    let used = Set(file.vectors.compactMap { $0["state"]?.text })
    #expect(Set(file.states.keys).subtracting(used) == [])
  }
}
