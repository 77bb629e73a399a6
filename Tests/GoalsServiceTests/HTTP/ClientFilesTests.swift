import HTTP
import PageFiles
import Testing

@testable import GoalsService

@Suite("The files of the page") struct ClientFilesTests {
  private static func file(_ name: String, _ text: String = "x") -> PageFile {
    PageFile(name: name, bytes: Array(text.utf8), gzip: Array(text.utf8), brotli: Array(text.utf8))
  }

  private static let files = [
    file("app.js", "// {version}"), file("goals.wasm"),
    file("index.html", "<a href=/client/{version}/app.js>{canonical}"), file("other.js"),
    file("unbuilt.html", "not built"), file("worker.js", "{version}: {files}"),
  ]

  private func request(_ path: String) throws -> Request {
    Request(RequestHead(method: .get, target: try #require(Target(path))))
  }

  private func get(_ path: String, of files: ClientFiles) throws -> Response {
    try files.response(to: request(path))
  }

  private func text(_ response: Response) -> String {
    String(decoding: response.body, as: UTF8.self)
  }

  @Test("are for ever under a name of one version")
  func lasting() throws {
    let files = ClientFiles(Self.files)
    let answer = try get("/client/\(files.version)/app.js", of: files)
    #expect(answer.fields["Cache-Control"] == "public, max-age=31536000, immutable")
    #expect(answer.fields["Content-Type"] == "text/javascript; charset=utf-8")
    #expect(text(answer) == "// {version}")
    #expect(answer.fields["ETag"] != nil)
  }

  @Test("have another version when one of them changes, and are gone under the old one")
  func versions() throws {
    let old = ClientFiles(Self.files)
    let new = ClientFiles(Self.files.dropLast() + [Self.file("worker.js", "other")])
    #expect(old.version != new.version)
    #expect(throws: Problem.self) { try get("/client/\(old.version)/app.js", of: new) }
    let named = try get("/client/app.js", of: new)
    #expect(named.status == .temporaryRedirect)
    #expect(named.fields["Location"] == "/client/\(new.version)/app.js")
    #expect(named.fields["Cache-Control"] == "no-cache")
  }

  @Test("are named by the document and the worker, which are asked for each time")
  func naming() throws {
    let files = ClientFiles(Self.files)
    let worker = try get("/client/worker.js", of: files)
    #expect(text(worker) == "\(files.version): app.js")
    #expect(worker.fields["Cache-Control"] == "no-cache")
    #expect(worker.fields["Service-Worker-Allowed"] == "/")
    #expect(throws: Problem.self) { try get("/client/\(files.version)/worker.js", of: files) }
    let page = try files.page.response(to: request("/"))
    #expect(text(page) == "<a href=/client/\(files.version)/app.js>")
    #expect(page.fields["Cache-Control"] == "no-cache")
  }

  @Test("have another version for another public URL, which the document names")
  func addressing() throws {
    let url = try #require(Origin(url: "https://goals.example/"))
    let files = ClientFiles(Self.files, at: url)
    #expect(files.version != ClientFiles(Self.files).version)
    let page = text(try files.page.response(to: request("/")))
    #expect(page.hasSuffix(#"><link rel="canonical" href="https://goals.example/">"#))
  }

  @Test("say so where the engine was not built into the program")
  func unbuilt() throws {
    let files = ClientFiles(Self.files.filter { $0.name != "goals.wasm" })
    #expect(text(try files.page.response(to: request("/"))) == "not built")
  }

  @Test("are not there under any other name", arguments: ["", "/", "/x.js", "/v/app.js", "/a/b/c"])
  func others(_ path: String) {
    let files = ClientFiles(Self.files)
    #expect(throws: Problem.self) { try get("/client\(path)", of: files) }
  }

  @Test("are all named by the document, or in the one module that it loads")
  func isComplete() throws {
    let names = Set(PageFile.all.map(\.name))
    let document = try #require(PageFile.all.first { $0.name == "index.html" })
    let markup = String(decoding: document.bytes, as: UTF8.self)
    let module = try #require(PageFile.all.first { $0.name == "app.js" })
    let program = String(decoding: module.bytes, as: UTF8.self)
    #expect(!program.contains("import "))
    // The drawing of QR codes is loaded where one is shown.
    let others = ["app.js", "worker.js", "qr.js"]
    for name in names where name.hasSuffix(".js") && !others.contains(name) {
      let text = try #require(PageFile.all.first { $0.name == name }?.bytes)
      let first = String(decoding: text, as: UTF8.self).firstMatch(
        of: /(?m)^export (?:async )?(?:const|function|class) (\w+)/)
      let export = try #require(first).1
      let isLoaded = [",", " }"].contains { program.contains("const { \(export)\($0)") }
      #expect(isLoaded, "\(name) is not loaded at once")
    }
    for part in markup.split(separator: "/client/{version}/").dropFirst() {
      let name = String(part.prefix { $0 != "\"" && $0 != ">" })
      #expect(names.contains(name) || name == "goals.wasm", "there is no \(name)")
    }
    // A proxy that asks for its own cookie would refuse the manifest without.
    #expect(markup.contains("rel=\"manifest\" crossorigin=\"use-credentials\""))
  }

  @Test(
    "are as small as a first visit on a slow network needs them",
    .enabled(if: PageFile.all.contains { $0.name == "goals.wasm" }, "the engine was not built"))
  func budget() throws {
    let files = ClientFiles(PageFile.all)
    func sent(_ path: String) throws -> Int {
      let target = try #require(Target(path))
      let request = Request(
        RequestHead(method: .get, target: target, fields: ["Accept-Encoding": "gzip, br"]))
      let page = path == "/" ? try files.page.response(to: request) : nil
      return try (page ?? files.response(to: request)).body.count
    }
    let worker = try text(get("/client/worker.js", of: files))
    let names = try #require(worker.firstMatch(of: /files = "([^"]*)"/)).1.split(separator: " ")
    #expect(names.contains("app.js") && names.contains("goals.wasm"))
    var sum = try sent("/") + sent("/client/worker.js")
    for name in names { sum += try sent("/client/\(files.version)/\(name)") }
    // Heads, the session and the account's log take the rest of 220 kB.
    #expect(sum <= 208_000)
  }

  @Test("may do nothing that their policy does not name")
  func policy() {
    #expect(
      clientPolicy(of: "<style>x</style>") == """
        default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; \
        style-src 'sha256-LXEWQrcmsEQBYnyp+6wy9chTD7GQPMTbAiWHF5IaSIE='; connect-src 'self'; \
        img-src 'self' data:; manifest-src 'self'; worker-src 'self'; base-uri 'none'; \
        form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; \
        trusted-types goals
        """)
  }
}
