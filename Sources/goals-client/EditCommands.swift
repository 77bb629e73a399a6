import ArgumentParser
import Foundation
import GoalsClient
import GoalsCore
import GoalsReplica
import GoalsWire
import JSON
import Terminal

/// `goals bump`.
struct Bump: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Count progress of a goal.",
    usage: "goals bump <goal> [+N|-N] [--on <day>] [--note <text>] [--json]",
    discussion: """
      It counts at once, on this machine, and is sent when a server is in reach.
      Without a number it counts 1; -N takes back what was counted too much, and
      never more than there is.

        goals bump yoga
        goals bump yoga +2 --on yesterday --note "with Ana"
        goals bump yoga -1 --on 2026-11-02
      """)

  @Argument(help: "The start of the goal's title, or of its id.") var goal: String
  @Argument(help: .hidden) var rest: [String] = []
  @Option(help: .hidden) var by = 1
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The day that it counts on: today, yesterday, a weekday of the last seven days, or a date "
        + "(default: today).", valueName: "day"))
  var on: String?
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("A note, of at most 500 characters.", valueName: "text"))
  var note: String?
  @OptionGroup var options: PrintOptions

  /// The arguments with `+2` and `-2` as the option that they stand for: what begins with a sign
  /// would be taken for an option's name. What a note or a day begins with is its own.
  ///
  /// - Throws: where there are several.
  static func withoutSigns(_ words: [String]) throws(CommandFailure) -> [String] {
    guard words.first == "bump" else { return words }
    let options = words.prefix { $0 != "--" }
    var numbers = 0
    var wrong: String?
    let told = zip([""] + options, options).map { before, word in
      guard before != "--note", before != "--on", !word.isEmpty, "+-".contains(word.prefix(1))
      else { return word }
      guard Int(word) != nil else {
        if word.hasPrefix("-"), word.dropFirst().first?.isNumber ?? false { wrong = word }
        return word
      }
      numbers += 1
      return "--by=\(word)"
    }
    if let wrong { throw CommandFailure(Self.excess(wrong), code: 64) }
    guard numbers <= 1 else {
      throw CommandFailure(
        "A bump counts one number: say it once, as in `goals bump yoga +2`.", code: 64)
    }
    return told + words.dropFirst(options.count)
  }

  private static func excess(_ word: String) -> String {
    "'\(word.shown(within: 40))' is not understood. A number is whole and has a sign, as in "
      + "`goals bump yoga +2`; a title of several words is put in quotes."
  }

  func validate() throws {
    try goal.checkAsName()
    if let word = rest.first { throw ValidationError(Self.excess(word)) }
    guard Increment(by) != nil else { throw ValidationError("\(Increment.rule).".capitalizedFirst) }
    if let note, Note(note) == nil { throw ValidationError("\(Note.rule).".capitalizedFirst) }
  }

  func run() async throws {
    guard let by = Increment(by) else { return }
    try await Session.open().make(on: on, of: goal, options) { goal in
      Edit(.bump(goal.id, by: by, note: note.flatMap { Note($0) }))
    }
  }
}

/// `goals skip`.
struct Skip: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Excuse the day, week or month of a goal, so that its streak holds.")

  @Argument(help: "The start of the goal's title, or of its id.") var goal: String
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "A day of it: today, yesterday, a weekday, or a date (default: today).", valueName: "day"))
  var on: String?
  @OptionGroup var options: PrintOptions

  func validate() throws { try goal.checkAsName() }

  func run() async throws {
    try await Session.open().make(on: on, of: goal, options) { Edit(.skip($0.id)) }
  }
}

/// `goals add`.
struct Add: AsyncParsableCommand {
  static let configuration = CommandConfiguration(abstract: "Add a goal, and turn it on.")

  enum Period: String, CaseIterable, ExpressibleByArgument {
    case day, week, month

    var interval: Interval {
      switch self {
      case .day: .daily
      case .week: .weekly
      case .month: .monthly
      }
    }
  }

  @Argument(help: "Its title.") var title: String
  @Option(help: "The period in which it is to be reached: day, week or month.")
  var every = Period.day
  @Option(help: "How often in a period.") var times = 1
  @Option(help: "What is counted, such as km.") var unit: String?
  @Option(help: "blue, cyan, green, yellow, orange, red, purple, or #rrggbb.") var colour = "green"
  @OptionGroup var options: PrintOptions

  func validate() throws {
    let faults = [
      Title(title) == nil ? Title.rule : nil, Frequency(times) == nil ? Frequency.rule : nil,
      unit.map { GoalUnit($0) == nil } ?? false ? GoalUnit.rule : nil,
      Colour(colour) == nil ? Colour.rule : nil,
    ].compactMap(\.self)
    guard faults.isEmpty else {
      throw ValidationError(faults.map { "\($0).".capitalizedFirst }.joined(separator: "\n"))
    }
  }

  func run() async throws {
    guard let title = Title(title), let frequency = Frequency(times),
      let colour = Colour(colour)
    else { return }
    let session = try Session.open()
    let goal = Goal(
      id: session.client.world.makeID(), title: title, colour: colour, interval: every.interval,
      frequency: frequency, unit: unit.flatMap { GoalUnit($0) })
    let edits = [Edit(.add(goal)), Edit(.setActivity(.keyed([goal.id: true])))]
    let ids = try await session.judged(asking: "added") {
      () async throws -> [Edit.ID] in
      try await session.client.make(edits)
    }
    try await session.send(ids[1], about: goal, options)
  }
}

extension Session {
  /// Makes an edit of the goal that a person names: shows what came of it at once, and then tries
  /// to send it for a short time.
  func make(
    on word: String?, of name: String, _ options: PrintOptions, _ edit: (Goal) -> Edit
  ) async throws {
    let (id, goal) = try await judged(asking: "counted") {
      () async throws -> (Edit.ID, Goal) in
      let goal = try item(named: name).goal
      guard let today = client.today, let calendar = client.calendar else {
        throw CommandFailure("The account's time zone is not known on this machine.")
      }
      let named = try word.map { try DayArgument($0, today: today) }
      let zone = client.replica.shown.calendar.timeZone
      let at = try named?.at(today: today, here: dayHere ?? today, in: calendar, zone)
      return (try await client.make(edit(goal), at: at, on: named?.day), goal)
    }
    let made = client.replica.kept.own[id]?.proposed
    var sentence =
      made.flatMap { (made: ProposedEdit) -> String? in
        if case .progress(.skip) = made.edit { return "\(words(for: made).capitalizedFirst)\n" }
        return otherDay(of: made).map { _ in "\(words(for: made))\n" }
      } ?? ""
    if word == nil { sentence += remarkOnDay }
    try await send(id, about: goal, saying: sentence, options)
  }

  /// The day in this machine's time zone; nil for a clock beyond the calendar.
  private var dayHere: Day? {
    let start = Int64(client.replica.shown.calendar.dayStart.minutes) * 60
    var seconds = time_t(client.world.now().milliseconds / 1000 - start)
    var local = tm()
    localtime_r(&seconds, &local)
    return Day(
      year: Int(local.tm_year) + 1900, month: Int(local.tm_mon) + 1, day: Int(local.tm_mday))
  }

  /// Which day an edit is for that names none, if this machine shows the day before or after.
  private var remarkOnDay: String {
    guard let today = client.today, let here = dayHere, abs(here.days(since: today)) == 1 else {
      return ""
    }
    let zone = client.replica.shown.calendar.timeZone
    return "This is for \(today), the present day in \(zone.text), where your days are counted. "
      + "For the day of this machine say --on \(here).\n"
  }

  /// Does what is judged by what is kept here. Before it is refused this device hears the server,
  /// for a short time, and then it is judged once more.
  ///
  /// - Parameter done: what is asked for, as a participle: for what is said if the disk is full.
  func judged<Made>(
    asking done: String, _ body: () async throws -> Made
  ) async throws -> Made {
    do {
      return try await body()
    } catch {
      if case .notKept? = error as? EditFailure { throw Self.told(error, done) }
    }
    await catchUp()
    do {
      return try await body()
    } catch {
      guard let failure = Self.told(error, done) as? CommandFailure, let hindrance else {
        throw Self.told(error, done)
      }
      throw CommandFailure("\(failure.sentence) Not up to date: \(hindrance)", code: failure.code)
    }
  }

  private static func told(_ error: any Error, _ done: String) -> any Error {
    guard let failure = error as? EditFailure else { return error }
    return failure.asCommandFailure(done)
  }

  /// Shows what came of an edit, here at once: the goal, or a sentence. It tries to send for a
  /// short time, and says whether something waits. JSON has all of it, so it comes when the server
  /// has answered, or a moment later where it does not.
  func send(
    _ id: Edit.ID, about goal: Goal?, undoing undone: Undone? = nil, saying sentence: String = "",
    _ options: PrintOptions
  ) async throws {
    var unheard: CommandFailure?
    func tell(_ text: String) {
      do throws(CommandFailure) { try StandardOutput.write(text) } catch { unheard = error }
    }
    if !options.json { tell((goal.map(line) ?? "") + sentence) }
    signIn()
    await settle { if options.json { tell(answer(id, goal, undone)) } }
    if !options.json, unheard == nil, let waiting { tell("\(waiting)\n") }
    try close(hasTold: !options.json)
    if let unheard {
      throw CommandFailure("The edit is kept. \(unheard.sentence)", isQuiet: unheard.isQuiet)
    }
  }

  private func line(of goal: Goal) -> String {
    let goals = client.goals.current
    return ListPicture(goals: goals, style: .ofOutput)
      .lines(of: goals.items.filter { $0.goal.id == goal.id })
  }

  private func answer(_ id: Edit.ID, _ goal: Goal?, _ undone: Undone?) -> String {
    let status = client.status.current
    let own = status.rejected.first { $0.id == id }
    var json = JSONWriter()
    json.object { json in
      json.member("edit", id)
      json.member("sent", own == nil && !status.unsent.contains { $0.id == id })
      if case .rejected(let rejection)? = own?.standing {
        json.object("rejected") { json in
          json.member("code", rejection.code.rawValue)
          json.member("detail", rejection.detail)
        }
      }
      if let undone {
        json.object("undone") { json in
          json.member("edit", undone.edit)
          json.member("words", undone.words)
        }
      }
      if let item = client.goals.current.items.first(where: { $0.goal.id == goal?.id }) {
        json.member("goal", item)
      }
    }
    return String(decoding: json.bytes, as: UTF8.self) + "\n"
  }
}

extension EditFailure {
  func asCommandFailure(_ done: String) -> CommandFailure {
    switch self {
    case .rejected, .unchanged: CommandFailure(localizedDescription)
    case .notKept(let error?) where error.isUncertain:
      CommandFailure(
        "It may be \(done) all the same: I \(error). `goals list` shows whether it is.")
    case .notKept(let error):
      CommandFailure(
        "Nothing was \(done): this machine could not keep it\(error.map { ": I \($0)" } ?? "").")
    }
  }
}

extension String {
  var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}
