import Crypto
import Foundation
import HTTP
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
    let page = EmbeddedFile.`docs.html`.text
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
}

@Suite("A file of the binary") struct ServedFileTests {
  private func answer(_ path: String, accept: String?) async throws -> Response {
    let field = accept.map { "\nAccept-Encoding: \($0)" } ?? ""
    let service = try TestService()
    let reply = try await service.reply("GET \(path)\(field)", as: nil)
    guard case .whole(let response) = reply else { throw Answer.Unexpected("a stream") }
    return response
  }

  private static let accepted: [(String?, Bool)] = [
    (nil, false), ("", false), ("gzip", true), ("GZIP", true), ("x-gzip", true), ("*", true),
    ("gzip, deflate, br, zstd", true), ("br;q=1.0, gzip;q=0.8, *;q=0.1", true),
    ("gzip;q=0.001", true), ("gzip ; Q=1", true), ("*;q=0.5, gzip;q=0.5", true), ("gzip,,", true),
    ("gzip;q=0", false), ("gzip;q=0.000", false), ("*;q=0", false), ("identity", false),
    ("deflate, br", false), ("gzip;q=0, *", false), ("identity;q=1, gzip;q=0.5", false),
    ("gzip;q=0.1, *;q=0.5", false), ("identity;q=0, *", true),
    // What can't be read asks for nothing.
    ("gzip;q=2", false), ("gzip;q=0.0001", false), ("gzip;q=", false), ("gzip;q=-1", false),
    ("gzip;q=1.001", false), ("gzip;q=.5", false), ("gzip;level=9", false), (";q=1", false),
    ("gzip;q=99999999999999999999", false), ("gzipped", false),
  ]

  @Test("is compressed for who takes that, and for nobody else", arguments: accepted)
  func coding(_ accept: String?, _ isCompressed: Bool) async throws {
    let response = try await answer("/openapi.yaml", accept: accept)
    #expect(response.fields["Content-Encoding"] == (isCompressed ? "gzip" : nil))
    #expect(response.fields["Vary"] == "Accept-Encoding")
    let file = EmbeddedFile.`openapi.yaml`
    #expect(response.body == (isCompressed ? file.gzip : Array(file.text.utf8)))
  }

  @Test(
    "has a tag for each of its forms, and is asked for again",
    arguments: ["/", "/docs", "/openapi.yaml"])
  func tags(_ path: String) async throws {
    let (plain, gzip) = (
      try await answer(path, accept: nil), try await answer(path, accept: "gzip")
    )
    #expect(gzip.fields["Content-Encoding"] == "gzip")
    #expect(gzip.body.count < plain.body.count)
    #expect(plain.fields["ETag"] != nil && plain.fields["ETag"] != gzip.fields["ETag"])
    for response in [plain, gzip] {
      #expect(response.fields["Cache-Control"] == "no-cache")
      let tag = try #require(response.fields["ETag"])
      #expect(tag.hasPrefix("\""))
      for (accept, known) in [("gzip", gzip), ("identity", plain)] {
        let again = try await answer(path, accept: "\(accept)\nIf-None-Match: \(tag)")
        #expect(again.status == (known.fields["ETag"] == tag ? .notModified : .ok))
        #expect(again.fields["ETag"] == known.fields["ETag"])
        #expect(again.fields["Vary"] == "Accept-Encoding")
        #expect(again.fields["Cache-Control"] == "no-cache")
      }
    }
  }
}
