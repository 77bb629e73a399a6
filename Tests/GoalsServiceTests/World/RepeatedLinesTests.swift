import GoalsService
import Testing

@Suite("A line of the log that comes again and again")
struct RepeatedLinesTests {
  private var lines = RepeatedLines()

  @Test("is told once a minute, with how often it was left out")
  mutating func minute() {
    #expect(!lines.isLasting(at: .zero))
    #expect(lines.add("a", at: .seconds(100)) == 0)
    for second in 101..<160 { #expect(lines.add("a", at: .seconds(second)) == nil) }
    #expect(lines.add("b", at: .seconds(150)) == 0)
    #expect(lines.add("a", at: .seconds(160)) == 59)
    #expect(lines.add("a", at: .seconds(161)) == nil)
    #expect(lines.isLasting(at: .seconds(219)))
    #expect(!lines.isLasting(at: .seconds(220)))
    #expect(lines.add("a", at: .seconds(900)) == 1)
  }

  @Test("is remembered among as many others as there may be, and no more")
  mutating func maximum() {
    for number in 0..<RepeatedLines.maximum { _ = lines.add("\(number)", at: .zero) }
    #expect(lines.add("0", at: .seconds(1)) == nil)
    #expect(lines.add("one more", at: .seconds(1)) == 0)
    #expect(lines.add("0", at: .seconds(1)) == 0)
  }
}
