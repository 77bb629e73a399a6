import GoalsService
import Testing

@Suite("A full disk")
struct FullDiskTests {
  private var disk = FullDisk()

  @Test("is told of when it begins, once a minute while it lasts, and when it ends")
  mutating func lines() {
    #expect(disk.refuse(3, at: .seconds(100)) == .begins(refused: 3))
    #expect(disk.isFull)
    for second in 101..<160 { #expect(disk.refuse(2, at: .seconds(second)) == nil) }
    #expect(disk.refuse(2, at: .seconds(160)) == .lasts(refused: 120))
    #expect(disk.refuse(5, at: .seconds(219)) == nil)
    #expect(disk.due(at: .seconds(220)) == .lasts(refused: 5))
    #expect(disk.refuse(1, at: .seconds(221)) == nil)
    #expect(disk.write() == .ends(refused: 1))
    #expect(!disk.isFull)
  }

  @Test("that nobody writes to is told of all the same, with nothing refused")
  mutating func quiet() {
    _ = disk.refuse(1, at: .zero)
    #expect(disk.due(at: .seconds(59)) == nil)
    #expect(disk.due(at: .seconds(60)) == .lasts(refused: 0))
    #expect(disk.due(at: .seconds(60)) == nil)
  }

  @Test("is a full one: of another there is no line")
  mutating func room() {
    #expect(disk.due(at: .seconds(1)) == nil)
    #expect(disk.write() == nil)
    _ = disk.refuse(1, at: .seconds(2))
    _ = disk.write()
    #expect(disk.write() == nil)
    #expect(disk.due(at: .seconds(900)) == nil)
  }

  @Test("that is full now and then fills no log: two lines a minute")
  mutating func now() {
    var lines: [FullDisk.Line] = []
    for second in 0..<600 {
      lines += [disk.refuse(1, at: .seconds(second)), disk.write()].compactMap(\.self)
    }
    #expect(lines.count == 20)
    #expect(
      lines.prefix(4) == [
        .begins(refused: 1), .ends(refused: 0), .begins(refused: 60), .ends(refused: 0),
      ])
  }

  @Test("that is full again for longer than a minute is told of though nobody writes")
  mutating func again() {
    _ = disk.refuse(1, at: .zero)
    _ = disk.write()
    #expect(disk.refuse(4, at: .seconds(1)) == nil)
    #expect(disk.isFull)
    #expect(disk.due(at: .seconds(60)) == .begins(refused: 4))
    #expect(disk.write() == .ends(refused: 0))
  }
}
