import Crypto
import Foundation
import Testing

@testable import GoalsService

@Suite("The page of the interface") struct PageTests {
  private static func texts(_ element: Substring, in page: String) -> [Substring] {
    page.ranges(of: "<\(element)>").compactMap { start in
      page[start.upperBound...].firstRange(of: "</\(element)>")
        .map { page[start.upperBound..<$0.lowerBound] }
    }
  }

  @Test("runs and is styled by nothing but what is in it, and asks nobody but this server")
  func policy() async throws {
    let answer = try await TestService().ask("GET /docs", as: nil)
    #expect(answer.status == 200)
    #expect(answer.field("Content-Type") == "text/html; charset=utf-8")
    #expect(answer.field("X-Content-Type-Options") == "nosniff")
    #expect(answer.field("Referrer-Policy") == "no-referrer")
    func sources(_ element: Substring) -> String {
      Self.texts(element, in: answer.body).map {
        "'sha256-\(Data(SHA256.hash(data: Data($0.utf8))).base64EncodedString())'"
      }.joined(separator: " ")
    }
    #expect(
      answer.field("Content-Security-Policy") == """
        default-src 'none'; script-src \(sources("script")); style-src \(sources("style")); \
        connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; \
        frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'
        """)
  }

  @Test("holds every file that it names, whole")
  func isWhole() throws {
    let page = Page.docs.text
    #expect(!page.contains("<script src") && !page.contains(#"rel="stylesheet""#))
    #expect(Self.texts("style", in: page).map(String.init) == [EmbeddedFile.`docs.css`.text])
    let scripts = EmbeddedFile.all.filter { $0.name.hasSuffix(".js") }.map(\.text)
    #expect(scripts.count == 6)
    #expect(Set(Self.texts("script", in: page).map(String.init)) == Set(scripts))
    let start = try #require(page.firstRange(of: #"<pre id="contract">"#))
    let end = try #require(page[start.upperBound...].firstRange(of: "</pre>"))
    let shown = page[start.upperBound..<end.lowerBound]
    #expect(!shown.contains("<"))
    #expect(
      shown.replacing("&lt;", with: "<").replacing("&amp;", with: "&")
        == EmbeddedFile.`openapi.yaml`.text)
  }

  @Test("that names what is not there stays as it is")
  func unknownFile() {
    let document = """
      <link rel="stylesheet" href="none.css">
      <script src="none.js"></script>
      <script src="docs.js" defer></script>
      <pre data-file="none.yaml"></pre>
      """
    #expect(Page(document).text == document)
  }
}
