import GoalsCore

/// A colour of a picture, in sRGB.
struct RGB: Hashable, Sendable {
  let red: UInt8
  let green: UInt8
  let blue: UInt8

  init(_ red: UInt8, _ green: UInt8, _ blue: UInt8) {
    self.red = red
    self.green = green
    self.blue = blue
  }

  /// The colour of 0xRRGGBB.
  init(_ hexadecimal: UInt32) {
    self.init(
      UInt8(truncatingIfNeeded: hexadecimal >> 16), UInt8(truncatingIfNeeded: hexadecimal >> 8),
      UInt8(truncatingIfNeeded: hexadecimal))
  }

  static let black = RGB(0x00_0000)
  static let white = RGB(0xFF_FFFF)

  /// The colour as CSS writes it: `#rrggbb`.
  var css: String { Colour.custom(red: red, green: green, blue: blue).description }

  /// The colour on the way to another: a share of 0 gives this one, 1 the other.
  func mixed(with other: RGB, _ share: Double) -> RGB {
    let mix = { (own: UInt8, its: UInt8) in
      UInt8(clamping: Int(Double(own) + (Double(its) - Double(own)) * share + 0.5))
    }
    return RGB(mix(red, other.red), mix(green, other.green), mix(blue, other.blue))
  }

  /// The contrast to another colour, from 1 to 21 (WCAG 2.2, "contrast ratio").
  func contrast(to other: RGB) -> Double {
    let (own, its) = (luminance, other.luminance)
    return (max(own, its) + 0.05) / (min(own, its) + 0.05)
  }

  /// The first colour with this contrast to a background on the way to each of `ends`, one after
  /// the other; the last of them where no colour has it.
  func withContrast(_ least: Double, to background: RGB, towards ends: RGB...) -> RGB {
    var start = self
    for end in ends {
      let steps = (0...20).lazy.map { [start] in start.mixed(with: end, Double($0) / 20) }
      if let found = steps.first(where: { $0.contrast(to: background) >= least }) { return found }
      start = end
    }
    return start
  }

  /// The same hue and saturation, as bright as can be; black stays black.
  var brightest: RGB {
    let most = Double(max(red, green, blue, 1))
    let raised = { (own: UInt8) in UInt8(clamping: Int(Double(own) * 255 / most + 0.5)) }
    return RGB(raised(red), raised(green), raised(blue))
  }

  /// WCAG 2.2, "relative luminance".
  private var luminance: Double {
    0.2126 * Self.linear(red) + 0.7152 * Self.linear(green) + 0.0722 * Self.linear(blue)
  }

  /// The light of a channel: a cubic that stays within 0.002 of the curve of sRGB (IEC 61966-2-1).
  private static func linear(_ channel: UInt8) -> Double {
    let value = Double(channel) / 255
    return value * (value * (value * 0.305_306_011 + 0.682_171_111) + 0.012_522_878)
  }
}
