/// Reading a POSIX TZ string: `std offset [dst [offset] ,start[/time],end[/time]]`.
extension YearlyRule {
  /// Nil for text that is no such string. A text with daylight saving time must name its
  /// changeovers: POSIX lets it leave them out, but TZif files always name them.
  init?(utf8 bytes: ArraySlice<UInt8>) {
    guard let rule = TextReader.read(bytes, YearlyRule.init) else { return nil }
    self = rule
  }

  private init?(_ reader: inout TextReader) {
    guard reader.skipDesignation(), let standard = reader.offsetFromUTC() else { return nil }
    if reader.isAtEnd {
      self.init(standard: standard, saving: standard, changeovers: nil)
      return
    }
    guard reader.skipDesignation() else { return nil }
    var saving = standard + 3600
    if reader.next != UInt8(ascii: ",") {
      guard let offset = reader.offsetFromUTC() else { return nil }
      saving = offset
    }
    guard reader.take(","), let start = reader.changeover(),
      reader.take(","), let end = reader.changeover(), reader.isAtEnd
    else { return nil }
    self.init(
      standard: standard, saving: saving, changeovers: Changeovers(start: start, end: end))
  }
}

extension TextReader {
  /// Three or more letters, or three or more letters, digits and signs between `<` and `>`.
  fileprivate mutating func skipDesignation() -> Bool {
    let isQuoted = take("<")
    var length = 0
    while let byte = next {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"):
        break
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"):
        guard isQuoted else { return length >= 3 }
      // NB: open: a switch over numbers.
      default:
        return length >= 3 && (!isQuoted || take(">"))
      }
      skip()
      length += 1
    }
    return false
  }

  /// Reads seconds east of UTC. POSIX counts them west, up to 24:59:59.
  fileprivate mutating func offsetFromUTC() -> Int64? {
    guard let west = signedTime(hours: 0...24) else { return nil }
    return -west
  }

  fileprivate mutating func changeover() -> YearlyRule.Changeover? {
    guard let day = dayOfYear() else { return nil }
    guard take("/") else { return YearlyRule.Changeover(day: day, second: 2 * 3600) }
    guard let second = signedTime(hours: 0...167) else { return nil }
    return YearlyRule.Changeover(day: day, second: second)
  }

  private mutating func dayOfYear() -> YearlyRule.DayOfYear? {
    if take("J") {
      guard let day = number(in: 1...365) else { return nil }
      return .withoutLeapDay(day)
    }
    if take("M") {
      guard let month = number(in: 1...12), take("."), let week = number(in: 1...5), take("."),
        let weekday = number(in: 0...6)
      else { return nil }
      return .weekday(month: month, week: week, weekday: weekday)
    }
    guard let day = number(in: 0...365) else { return nil }
    return .withLeapDay(day)
  }

  /// `[+-]hh[:mm[:ss]]`, in seconds.
  private mutating func signedTime(hours: ClosedRange<Int64>) -> Int64? {
    let isNegative = take("-")
    if !isNegative { _ = take("+") }
    guard let hour = number(in: hours) else { return nil }
    var seconds = hour * 3600
    if take(":") {
      guard let minute = number(in: 0...59) else { return nil }
      seconds += minute * 60
      if take(":") {
        guard let second = number(in: 0...59) else { return nil }
        seconds += second
      }
    }
    return isNegative ? -seconds : seconds
  }
}
