import ArgumentParser

/// A size: whole bytes, or with a unit, decimal (`5GB`) or binary (`512 MiB`), in any case.
struct ByteCount: ExpressibleByArgument {
  /// How sizes are written, for a help text.
  static let help =
    "in bytes, or as kB, MB, GB, TB (powers of 1000) or KiB, MiB, GiB, TiB (of 1024)"

  private static let units: [(name: String, bytes: Int)] = [
    ("tib", 1 << 40), ("gib", 1 << 30), ("mib", 1 << 20), ("kib", 1 << 10),
    ("tb", 1_000_000_000_000), ("gb", 1_000_000_000), ("mb", 1_000_000), ("kb", 1000), ("b", 1),
  ]

  let bytes: Int

  init(_ bytes: Int) { self.bytes = bytes }

  /// Nil for anything else, and for what 64 bits don't hold.
  init?(argument: String) {
    let text = argument.lowercased()
    let unit = Self.units.first { text.hasSuffix($0.name) }
    var digits = text.dropLast(unit?.name.count ?? 0)
    if unit != nil, digits.last == " " { digits.removeLast() }
    guard !digits.isEmpty, digits.allSatisfy({ ("0"..."9").contains($0) }), let count = Int(digits)
    else { return nil }
    let (bytes, overflows) = count.multipliedReportingOverflow(by: unit?.bytes ?? 1)
    guard !overflows else { return nil }
    self.bytes = bytes
  }

  /// In the largest binary unit that says it in a whole number.
  var defaultValueDescription: String {
    for (unit, size) in [("GiB", 1 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10)]
    where bytes > 0 && bytes.isMultiple(of: size) {
      return "\(bytes / size)\(unit)"
    }
    return "\(bytes)"
  }
}
