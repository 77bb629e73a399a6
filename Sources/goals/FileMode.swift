import ArgumentParser

/// The permissions of a file, as chmod(1) takes them in octal digits: `0660`.
struct FileMode: ExpressibleByArgument {
  let bits: UInt32

  init(bits: UInt32) { self.bits = bits }

  /// Nil for anything but one to four octal digits, at most 0777.
  init?(argument: String) {
    guard argument.allSatisfy({ ("0"..."7").contains($0) }), argument.count <= 4,
      let bits = UInt32(argument, radix: 8), bits <= 0o777
    else { return nil }
    self.bits = bits
  }

  var defaultValueDescription: String {
    let digits = String(bits, radix: 8)
    return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
  }
}
