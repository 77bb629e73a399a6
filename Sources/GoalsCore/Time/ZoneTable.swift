/// A stretch of time in which a zone's clocks keep one offset, in seconds since 1970. The end is
/// exclusive.
struct ZoneSpan: Hashable {
  var start: Int64
  var end: Int64
  /// Seconds east of UTC.
  var offset: Int64

  /// These lie before every instant, and after every instant.
  static let beginning: Int64 = -(1 << 60)
  static let end: Int64 = 1 << 60

  /// The offsets that a zone may have (RFC 9636 §3.2).
  static let offsets: ClosedRange<Int64> = -89_999...93_599
}

/// The changes of a zone's clocks that its file lists, and the rule after the last of them.
struct ZoneTable: Hashable, Sendable {
  /// The seconds since 1970 at which the offset may change, ascending.
  var changes: [Int64]
  /// Seconds east of UTC: `offsets[0]` before the first change, `offsets[i + 1]` from `changes[i]`
  /// on. So there is always one offset more than changes.
  var offsets: [Int32]
  /// The rule that holds from the last change on; nil where the last offset holds.
  var rule: YearlyRule?

  func offset(at second: Int64) -> Int32 {
    let index = countOfChanges(upTo: second)
    if index == changes.count, let rule {
      return Int32(truncatingIfNeeded: rule.span(at: second).offset)
    }
    return offsets[index]
  }

  func span(at second: Int64) -> ZoneSpan {
    let index = countOfChanges(upTo: second)
    let start = index == 0 ? ZoneSpan.beginning : changes[index - 1]
    if index == changes.count, let rule {
      var span = rule.span(at: second)
      span.start = max(span.start, start)
      return span
    }
    let end = index == changes.count ? ZoneSpan.end : changes[index]
    return ZoneSpan(start: start, end: end, offset: Int64(offsets[index]))
  }

  /// The table with the rule's changes listed up to the year 2100. So a present instant is looked
  /// up instead of computed, however few years the file lists.
  ///
  /// It adds at most two changes a year. It adds none where the file's last change is before 1900:
  /// no zone's is, and the number of years to list would have no bound.
  func extended() -> ZoneTable {
    guard let rule, let last = changes.last, last >= -2_208_988_800 else { return self }
    let year2100: Int64 = 4_102_444_800
    var table = self
    var span = rule.span(at: last)
    table.offsets[changes.count] = Int32(truncatingIfNeeded: span.offset)
    while span.end < year2100 {
      table.changes.append(span.end)
      span = rule.span(at: span.end)
      table.offsets.append(Int32(truncatingIfNeeded: span.offset))
    }
    return table
  }

  /// The first and the last second at which the clocks are put forward by 12 hours or more: the end
  /// and the beginning where they never are, all time where a yearly rule has them jump so.
  var wideJumps: (first: Int64, last: Int64) {
    let wide: Int64 = 12 * 3600
    if let rule, let last = offsets.last {
      let low = min(Int64(last), rule.standard, rule.saving)
      if max(rule.standard, rule.saving) - low >= wide { return (ZoneSpan.beginning, ZoneSpan.end) }
    }
    var jumps = (first: ZoneSpan.end, last: ZoneSpan.beginning)
    for index in changes.indices where Int64(offsets[index + 1]) - Int64(offsets[index]) >= wide {
      jumps = (min(jumps.first, changes[index]), changes[index])
    }
    return jumps
  }

  private func countOfChanges(upTo second: Int64) -> Int {
    var (low, high) = (0, changes.count)
    while low < high {
      let middle = (low + high) / 2
      if changes[middle] <= second { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
