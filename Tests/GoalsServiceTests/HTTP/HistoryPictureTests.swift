import GoalsCore
import Testing

@testable import GoalsPictures
@testable import GoalsService

private let a = TestService.id(1)
private let path = "/v1/goals/\(a)/history.svg"

@Suite("GET /v1/goals/{id}/history.svg") struct HistoryPictureTests {
  /// A goal of two a day, made on 2026-11-20; the clock stands at noon of 2026-11-24.
  private func service(
    title: String = "Yoga", colour: String = "green", interval: String = "daily"
  ) async throws -> TestService {
    let service = try TestService()
    _ = try await service.ask(
      """
      PUT /v1/goals/\(a)

      {"title":"\(title)","colour":"\(colour)","interval":"\(interval)","frequency":2}
      """)
    _ = try await service.ask("PATCH /v1/goals/\(a)\n\n{\"active\":true}")
    for count in [2, 1, 0, 3] {
      if count > 0 {
        _ = try await service.ask("POST /v1/goals/\(a)/bump\n\n{\"by\":\(count)}")
      } else {
        _ = try await service.ask("POST /v1/goals/\(a)/skip")
      }
      service.clock.advance(bySeconds: 86_400)
    }
    return service
  }

  @Test("is SVG that loads nothing and may have its own style")
  func fields() async throws {
    let answer = try await service().ask("GET \(path)")
    #expect(answer.status == 200)
    #expect(answer.field("Content-Type") == "image/svg+xml")
    #expect(
      answer.field("Content-Security-Policy")
        == "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'")
    #expect(answer.field("Cache-Control") == "private, no-cache")
    #expect(answer.field("X-Content-Type-Options") == "nosniff")
    #expect(!answer.body.contains("href"))
  }

  @Test("has the history's entity tag, and answers it with 304")
  func entityTag() async throws {
    let service = try await service()
    let history = try await service.ask("GET /v1/goals/\(a)/history")
    let picture = try await service.ask("GET \(path)")
    #expect(picture.etag == history.etag)
    let again = try await service.ask("GET \(path)\nIf-None-Match: \(picture.etag ?? "")\n")
    #expect(again.status == 304)
    #expect(again.body.isEmpty)
  }

  @Test("tells each day what became of it")
  func days() async throws {
    let answer = try await service().ask("GET \(path)?from=2026-11-19&to=2026-11-26")
    #expect(
      answer.tips == [
        "2026-11-19: no goal", "2026-11-20: 2 of 2", "2026-11-21: 1 of 2", "2026-11-22: excused",
        "2026-11-23: 3 of 2", "2026-11-24: 0 of 2", "2026-11-25: not yet",
      ])
    #expect(answer.looks == ["p", "d", "b", "x", "d", "z n", "o"])
  }

  @Test("tells of a week how far it came, and tints the days of one that is met")
  func weeks() async throws {
    let service = try await service(interval: "weekly")
    let answer = try await service.ask("GET \(path)?from=2026-11-16&to=2026-11-26")
    #expect(
      answer.tips.suffix(6) == [
        "2026-11-20: 2 (week: 3 of 2)", "2026-11-21: 1 (week: 3 of 2)",
        "2026-11-22: 0 (week: 3 of 2)", "2026-11-23: 3 (week: 3 of 2)",
        "2026-11-24: 0 (week: 3 of 2)", "2026-11-25: not yet",
      ])
    #expect(answer.looks.suffix(6) == ["d", "d", "q", "d", "q n", "o"])
    #expect(answer.body.contains(">week met<"))
  }

  @Test("has a name and a description for who does not see it")
  func description() async throws {
    let answer = try await service().ask("GET \(path)?from=2026-11-19&to=2026-11-26")
    #expect(answer.body.contains("role=\"img\" aria-labelledby=\"t-\(a) d-\(a)\""))
    #expect(answer.body.contains("<title id=\"t-\(a)\">Yoga</title>"))
    #expect(
      answer.body.contains(
        """
        <desc id="d-\(a)">A calendar from 2026-11-19 to 2026-11-25, a cell a day, stronger the \
        further the goal came: twice a day, 6 counted, 2 of 3 days met, streak 1, longest 1.</desc>
        """))
  }

  @Test(
    "escapes a title, and puts U+FFFD in the place of what no XML may hold",
    arguments: [
      ("<b>&amp;]]>", "&lt;b&gt;&amp;amp;]]&gt;"), ("\"a' & b", "&quot;a' &amp; b"),
      ("\u{FFFE}x\u{FFFF}", "\u{FFFD}x\u{FFFD}"), ("日本語 \u{1F9D8}", "日本語 \u{1F9D8}"),
    ])
  func escaping(title: String, shown: String) async throws {
    let json = title.replacing("\"", with: "\\\"")
    let answer = try await service(title: json).ask("GET \(path)")
    #expect(answer.body.contains("<title id=\"t-\(a)\">\(shown)</title>"))
    #expect(answer.body.contains(">\(shown)</text>"))
  }

  /// The picture is 440 pixels wide, and has margins of 24; the title's letters are of 17.
  @Test(
    "cuts a title that is too long for its width, by how wide its letters are",
    arguments: [("x", 30), ("W", 19), ("&", 19), ("i", 43), ("漢", 20), ("\u{1F9D8}", 16)])
  func longTitle(letter: String, fitting count: Int) async throws {
    let title = String(repeating: letter, count: 200)
    let answer = try await service(title: title).ask("GET \(path)?from=2026-11-20")
    #expect(answer.body.contains(">\(xml(title))</title>"))
    let shown = xml(String(repeating: letter, count: count))
    #expect(answer.body.contains(">\(shown)…</text>"))
    let fits = String(repeating: letter, count: count)
    let whole = try await service(title: fits).ask("GET \(path)?from=2026-11-20")
    #expect(whole.body.contains(">\(shown)</text>"))
  }

  /// About 8 letters of 11 pixels; the margin is 24.
  @Test(
    "has room for the name of a month that begins in its last week",
    arguments: ["2026-01-02", "2026-01-05", "2026-01-12"])
  func lastMonth(end: String) async throws {
    let answer = try await service().ask("GET \(path)?from=2025-01-01&to=\(end)")
    let width = try #require(answer.body.firstMatch(of: /viewBox="0 0 (\d+)/)?.1)
    let label = try #require(answer.body.firstMatch(of: /x="(\d+)" y="\d+">Jan 2026</)?.1)
    #expect(try #require(Int(width)) - #require(Int(label)) >= 8 * 7)
  }

  @Test("takes at most 60 kB a year, in a row a year")
  func size() async throws {
    let service = try await service(interval: "monthly")
    for month in 1...12 {
      let at = "2025-\(month < 10 ? "0" : "")\(month)-05T12:00:00Z"
      for _ in 1...3 {
        let bump = "{\"by\":1000000,\"at\":\"\(at)\"}"
        #expect(try await service.ask("POST /v1/goals/\(a)/bump\n\n\(bump)").status != 422)
      }
    }
    let year = try await service.ask("GET \(path)?from=2025-01-01&to=2026-01-01")
    #expect(year.body.utf8.count < 60_000)
    #expect(year.body.split(separator: "</title></rect>").count == 366)
    let decade = try await service.ask("GET \(path)?from=2017-01-01&to=2027-01-01")
    #expect(decade.body.utf8.count < 600_000)
    let years = (2017...2026).map { ">\($0)</text>" }
    #expect(years.allSatisfy(decade.body.contains))
  }

  @Test("begins its columns with the account's week")
  func weekStart() async throws {
    let service = try await service()
    let window = "from=2026-11-15&to=2026-11-29"
    let monday = try await service.ask("GET \(path)?\(window)")
    _ = try await service.ask("PATCH /v1/account\n\n{\"weekStart\":\"sunday\"}")
    let sunday = try await service.ask("GET \(path)?\(window)")
    #expect(Set(monday.columns).count == 3)
    #expect(Set(sunday.columns).count == 2)
  }

  @Test(
    "refuses what a history refuses", arguments: ["from=x", "to=2020-01-01&from=2020-01-02", "a=b"])
  func refusals(query: String) async throws {
    let service = try await service()
    let picture = try await service.ask("GET \(path)?\(query)")
    let history = try await service.ask("GET /v1/goals/\(a)/history?\(query)")
    #expect(picture.status == 422)
    #expect(picture.body == history.body)
    let unknown = try await service.ask("GET /v1/goals/\(TestService.id(2))/history.svg")
    #expect(unknown.code == "unknown-goal")
  }
}

@Suite("The shades of a heat map") struct HeatMapShadesTests {
  private static let colours: [Colour] = [
    .blue, .cyan, .green, .yellow, .orange, .red, .purple, .custom(red: 255, green: 255, blue: 255),
    .custom(red: 0, green: 0, blue: 0), .custom(red: 128, green: 128, blue: 128),
    .custom(red: 255, green: 255, blue: 0), .custom(red: 0, green: 0, blue: 255),
    .custom(red: 0x12, green: 0x34, blue: 0x56), .custom(red: 0x40, green: 0, blue: 0),
  ]

  @Test("can be told from the background, and texts read (WCAG 2.2)", arguments: colours)
  func contrast(colour: Colour) {
    for shades in [HeatMapShades.light(colour), .dark(colour)] {
      #expect(shades.full.contrast(to: shades.background) >= 3)
      #expect(shades.text.contrast(to: shades.background) >= 7)
      #expect(shades.muted.contrast(to: shades.background) >= 4.5)
      let steps = [shades.empty, shades.quiet, shades.low, shades.middle, shades.high, shades.full]
      #expect(Set(steps).count == steps.count)
      let away = steps.map { $0.contrast(to: shades.background) }
      #expect(away == away.sorted())
    }
  }

  @Test("can be told from each other on dark, however dark the colour", arguments: colours)
  func steps(colour: Colour) {
    let shades = HeatMapShades.dark(colour)
    let steps = [shades.empty, shades.quiet, shades.low, shades.middle, shades.high, shades.full]
    for (one, next) in zip(steps, steps.dropFirst()) {
      #expect(next.contrast(to: one) >= 1.2)
    }
  }

  @Test("keep the hue of a colour that is made brighter")
  func hue() {
    #expect(RGB(0x12_3456).brightest == RGB(0x35_9AFF))
    #expect(RGB.black.brightest == .black)
  }

  @Test("have the contrasts that WCAG gives")
  func knownContrasts() {
    #expect(abs(RGB.black.contrast(to: .white) - 21) < 0.01)
    #expect(abs(RGB(0x76_7676).contrast(to: .white) - 4.54) < 0.05)
  }
}

extension Answer {
  /// What is told of the days, in order.
  fileprivate var tips: [String] {
    body.matches(of: /<title>([^<]*)<\/title><\/rect>/).map { String($0.1) }
  }

  /// The classes of the days' cells.
  fileprivate var looks: [String] {
    body.matches(of: /<rect class="([a-z ]*)"[^>]*>\s*<title>/).map { String($0.1) }
  }

  /// Where the days' cells begin, from the left.
  fileprivate var columns: [String] {
    body.matches(of: /<rect class="[a-z ]*" x="(\d+)"[^>]*>\s*<title>/).map { String($0.1) }
  }
}
