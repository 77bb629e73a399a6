import GoalsCore

/// The shades of a heat map on one background.
struct HeatMapShades: Hashable, Sendable {
  let background: RGB
  let text: RGB
  /// The colour of all texts but the title and the years.
  let muted: RGB
  let empty: RGB
  /// The colour of the lines of days that are excused or after today.
  let line: RGB
  let quiet: RGB
  let low: RGB
  let middle: RGB
  let high: RGB
  let full: RGB

  static func light(_ colour: Colour) -> HeatMapShades {
    let background = RGB.white
    return HeatMapShades(
      full: colour.onLight.withContrast(3, to: background, towards: .black),
      background: background, text: RGB(0x1C_2128), muted: RGB(0x59_636E), empty: RGB(0xEB_EDF0),
      line: RGB(0xC3_C9D1), shares: (0.14, 0.34, 0.54, 0.76))
  }

  static func dark(_ colour: Colour) -> HeatMapShades {
    let (background, full) = (RGB(0x14_171C), colour.onDark)
    return HeatMapShades(
      full: full.withContrast(6, to: background, towards: full.brightest, .white),
      background: background, text: RGB(0xE8_EAED), muted: RGB(0x9A_A3AE), empty: RGB(0x26_2B33),
      line: RGB(0x4A_525E), shares: (0.16, 0.34, 0.54, 0.76))
  }

  /// - Parameter full: has enough contrast to the background for all the shades between. WCAG 2.2
  ///   §1.4.11 asks for a contrast of 3 where graphics carry meaning; on dark that is not enough to
  ///   tell the shades apart.
  private init(
    full: RGB, background: RGB, text: RGB, muted: RGB, empty: RGB, line: RGB,
    shares: (Double, Double, Double, Double)
  ) {
    self.background = background
    self.text = text
    self.muted = muted
    self.empty = empty
    self.line = line
    quiet = empty.mixed(with: full, shares.0)
    low = empty.mixed(with: full, shares.1)
    middle = empty.mixed(with: full, shares.2)
    high = empty.mixed(with: full, shares.3)
    self.full = full
  }
}

extension Colour {
  fileprivate var onLight: RGB {
    switch self {
    case .blue: RGB(0x25_63EB)
    case .cyan: RGB(0x08_91B2)
    case .green: RGB(0x16_A34A)
    case .yellow: RGB(0xC9_8A04)
    case .orange: RGB(0xEA_580C)
    case .red: RGB(0xDC_2626)
    case .purple: RGB(0x93_33EA)
    case .custom(let red, let green, let blue): RGB(red, green, blue)
    }
  }

  fileprivate var onDark: RGB {
    switch self {
    case .blue: RGB(0x60_A5FA)
    case .cyan: RGB(0x22_D3EE)
    case .green: RGB(0x4A_DE80)
    case .yellow: RGB(0xFA_CC15)
    case .orange: RGB(0xFB_923C)
    case .red: RGB(0xF8_7171)
    case .purple: RGB(0xC0_84FC)
    case .custom(let red, let green, let blue): RGB(red, green, blue)
    }
  }
}
