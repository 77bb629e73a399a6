/// Something that must not be, whatever the network does.
struct Violation: Error {
  let what: String

  init(_ what: String) { self.what = what }
}

/// Throws where a claim does not hold.
func claim(_ holds: Bool, _ what: @autoclosure () -> String) throws(Violation) {
  if !holds { throw Violation(what()) }
}
