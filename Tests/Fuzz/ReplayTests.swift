import Foundation
import Testing

/// The inputs that are kept: those that reach the most, found by `scripts/fuzz`, and every one that
/// once broke something.
@Suite("A kept input") struct ReplayTests {
  private struct Input: CustomTestStringConvertible {
    let harness: String
    let file: URL

    var testDescription: String { "\(harness)/\(file.lastPathComponent)" }
  }

  private static let corpus = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "corpus")

  private static func inputs(of harness: String) -> [Input] {
    let folder = corpus.appending(path: harness)
    let files = try? FileManager.default.contentsOfDirectory(
      at: folder, includingPropertiesForKeys: nil)
    return (files ?? []).sorted { $0.path < $1.path }.map { Input(harness: harness, file: $0) }
  }

  @Test("breaks no promise", arguments: Harness.all.flatMap { inputs(of: $0.name) })
  private func holds(_ input: Input) throws {
    let harness = try #require(Harness.all.first { $0.name == input.harness })
    let bytes = try [UInt8](Data(contentsOf: input.file))
    try harness.run(bytes)
  }

  @Test("is there for every harness", arguments: Harness.all.map { $0.name })
  func isThere(_ harness: String) {
    #expect(!Self.inputs(of: harness).isEmpty)
  }

  @Test("is in the folder of a harness")
  func hasHarness() throws {
    let folders = try FileManager.default.contentsOfDirectory(atPath: Self.corpus.path)
    #expect(Set(folders) == Set(Harness.all.map { $0.name }))
  }

  @Test("is one of 200 at most, in 300 kB")
  func isSmall() throws {
    let sizes = try Harness.all.flatMap { Self.inputs(of: $0.name) }
      .map { try Data(contentsOf: $0.file).count }
    #expect(sizes.count <= 200)
    #expect(sizes.reduce(0, +) <= 300_000)
  }
}
