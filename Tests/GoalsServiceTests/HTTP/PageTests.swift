import Digests
import Foundation
import HTTP
import TestSupport
import Testing

@testable import GoalsService

@Suite("The page of the interface") struct PageTests {
  private static func texts(_ element: Substring, in page: String) -> [Substring] {
    page.components(separatedBy: "<\(element)>").dropFirst().compactMap { rest in
      rest.range(of: "</\(element)>").map { rest[..<$0.lowerBound] }
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
        "'sha256-\(Data(SHA256.digest(of: $0.utf8)).base64EncodedString())'"
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
    // NB: `contains` takes seconds for a page that is not all ASCII.
    for foreign in ["<script src", #"rel="stylesheet""#] {
      #expect(page.components(separatedBy: foreign).count == 1)
    }
    // Comments and white space of styles are left out.
    func rules(_ style: some StringProtocol) -> String {
      style.components(separatedBy: "/*").enumerated()
        .map { $0.offset == 0 ? $0.element : $0.element.components(separatedBy: "*/").last ?? "" }
        .joined().components(separatedBy: .whitespacesAndNewlines).joined()
    }
    let styles = Self.texts("style", in: page)
    #expect(styles.map { rules($0) } == [rules(EmbeddedFile.`docs.css`.text)])
    let scripts = EmbeddedFile.all.filter { $0.name.hasSuffix(".js") }.map(\.text)
    #expect(scripts.count == 6)
    #expect(Set(Self.texts("script", in: page).map(String.init)) == Set(scripts))
    let start = try #require(page.range(of: #"<pre id="contract">"#))
    let rest = page[start.upperBound...]
    let shown = rest[..<(try #require(rest.range(of: "</pre>"))).lowerBound]
    #expect(!shown.utf8.contains(UInt8(ascii: "<")))
    #expect(
      shown.replacingOccurrences(of: "&lt;", with: "<")
        .replacingOccurrences(of: "&amp;", with: "&") == EmbeddedFile.`openapi.yaml`.text)
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

  private static let accepted: [(String?, String?)] = [
    (nil, nil), ("", nil), ("gzip", "gzip"), ("GZIP", "gzip"), ("x-gzip", "gzip"), ("*", "br"),
    ("gzip, deflate, br, zstd", "br"), ("br", "br"), ("Br", "br"), ("deflate, br", "br"),
    ("br;q=1.0, gzip;q=0.8, *;q=0.1", "br"), ("br;q=0.8, gzip;q=1.0", "gzip"),
    ("br;q=0.5, gzip;q=0.5", "br"), ("br;q=0, gzip", "gzip"), ("gzip, *;q=0.5", "gzip"),
    ("gzip;q=0.5, *", "br"), ("gzip;q=0, *", "br"), ("br;q=0, gzip;q=0, *", nil),
    ("br;q=0.4, identity;q=0.5", nil), ("br;q=0.4, gzip;q=0.6, identity;q=0.5", "gzip"),
    ("gzip;q=0.001", "gzip"), ("gzip ; Q=1", "gzip"), ("*;q=0.5, gzip;q=0.5", "br"),
    ("gzip,,", "gzip"), ("br;q=0, identity;q=0, *", "gzip"), ("identity;q=0, *", "br"),
    ("gzip;q=0", nil), ("gzip;q=0.000", nil), ("*;q=0", nil), ("identity", nil),
    ("deflate, zstd", nil), ("identity;q=1, gzip;q=0.5", nil), ("gzip;q=0.1, br;q=0, *;q=0.5", nil),
    // What can't be read asks for nothing.
    ("gzip;q=2", nil), ("gzip;q=0.0001", nil), ("gzip;q=", nil), ("gzip;q=-1", nil),
    ("gzip;q=1.001", nil), ("gzip;q=.5", nil), ("gzip;level=9", nil), (";q=1", nil),
    ("gzip;q=99999999999999999999", nil), ("gzipped", nil), ("br;q=2, gzip", "gzip"),
    ("brotli", nil),
  ]

  @Test("is compressed for who takes that, and for nobody else", arguments: accepted)
  func coding(_ accept: String?, _ coding: String?) async throws {
    let response = try await answer("/openapi.yaml", accept: accept)
    #expect(response.fields["Content-Encoding"] == coding)
    #expect(response.fields["Vary"] == "Accept-Encoding")
    let file = EmbeddedFile.`openapi.yaml`
    let forms = [nil: file.bytes, "gzip": file.gzip, "br": file.brotli]
    #expect(response.body == forms[coding])
  }

  @Test(
    "has a tag for each of its forms, and is asked for again",
    arguments: ["/", "/docs", "/openapi.yaml"])
  func tags(_ path: String) async throws {
    let forms = ["identity", "gzip", "br"]
    var known: [String: Response] = [:]
    for form in forms { known[form] = try await answer(path, accept: form) }
    #expect(forms.map { known[$0]?.fields["Content-Encoding"] } == [nil, "gzip", "br"])
    let sizes = try forms.map { try #require(known[$0]).body.count }
    #expect(sizes[0] > sizes[1] && sizes[1] > sizes[2])
    let tags = try forms.map { try #require(known[$0]?.fields["ETag"]) }
    #expect(Set(tags).count == forms.count)
    #expect(tags.allSatisfy { $0.hasPrefix("\"") })
    for tag in tags {
      for (form, own) in zip(forms, tags) {
        #expect(known[form]?.fields["Cache-Control"] == "no-cache")
        let again = try await answer(path, accept: "\(form)\nIf-None-Match: \(tag)")
        #expect(again.status == (own == tag ? .notModified : .ok))
        #expect(again.fields["ETag"] == own)
        #expect(again.fields["Vary"] == "Accept-Encoding")
        #expect(again.fields["Cache-Control"] == "no-cache")
      }
    }
  }

  @Test("is read back whole from every form")
  func whole() {
    for file in EmbeddedFile.all {
      #expect(file.brotli.readAsBrotli() == file.bytes, "\(file.name)")
    }
  }
}
