import Testing

@testable import HTTPServer

@Suite("The memory for bodies")
struct HeldBodiesTests {
  /// 1000 bytes, of which bodies of up to 10 are always taken.
  private final class Trial {
    private(set) var bodies: HeldBodies

    init() {
      var limits = Limits()
      (limits.bodyMemory, limits.bodyShare) = (1000, 10)
      bodies = HeldBodies(SharedLimits(limits))
    }

    /// Whether a body finds room. It is let go of where it finds none.
    func take(_ bytes: Int, of holder: UInt64?) -> Bool {
      let body = HeldBodies.Body(bytes: bytes, holder: holder)
      bodies.change(HeldBodies.Body(holder: holder), to: bytes)
      guard bodies.isTooMuch(body) else { return true }
      drop(bytes, of: holder)
      return false
    }

    func drop(_ bytes: Int, of holder: UInt64?) {
      bodies.change(HeldBodies.Body(bytes: bytes, holder: holder), to: 0)
    }
  }

  @Test("is half of it one holder's at most, in however many bodies")
  func half() {
    let trial = Trial()
    #expect(!trial.take(501, of: 1))
    #expect(trial.take(250, of: 1))
    #expect(!trial.take(251, of: 1))
    #expect(trial.take(250, of: 1))
    #expect(!trial.take(11, of: 1))
    #expect(trial.take(10, of: 1))
  }

  @Test("has room for whoever comes next, as much as it has for each of those before")
  func others() {
    let trial = Trial()
    while trial.take(25, of: 1) {}
    while trial.take(25, of: 2) {}
    #expect(trial.bodies.bytes == 750)
    #expect(!trial.take(126, of: 3))
    #expect(trial.take(125, of: 3))
    // The first two have to go back to what is left of it.
    #expect(!trial.take(25, of: 1))
    for _ in 0..<20 { trial.drop(25, of: 1) }
    #expect(trial.take(250, of: 1))
  }

  @Test("is taken by small bodies as well, which count for nobody")
  func small() {
    let trial = Trial()
    for _ in 0..<50 { #expect(trial.take(10, of: 1)) }
    #expect(!trial.take(251, of: 1))
    #expect(trial.take(250, of: 1))
  }

  @Test("follows a body as it grows, and forgets it")
  func growth() {
    let trial = Trial()
    for _ in 0..<3 {
      var bodies = trial.bodies
      var body = HeldBodies.Body(holder: 1)
      for bytes in [1, 10, 11, 100, 500, 501] {
        bodies.change(body, to: bytes)
        body.bytes = bytes
        #expect(bodies.bytes == bytes)
        #expect(bodies.isTooMuch(body) == (bytes > 500))
      }
      bodies.change(body, to: 0)
      #expect(bodies.bytes == 0)
      body.bytes = 500
      bodies.change(HeldBodies.Body(holder: 1), to: 500)
      #expect(!bodies.isTooMuch(body))
    }
  }

  @Test("is each stranger's by itself")
  func strangers() {
    let trial = Trial()
    #expect(!trial.take(501, of: nil))
    #expect(trial.take(400, of: nil))
    #expect(trial.take(300, of: nil))
    #expect(!trial.take(151, of: nil))
  }
}
