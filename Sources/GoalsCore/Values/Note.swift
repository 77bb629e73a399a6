/// A remark on a bump: at most 500 code points.
public struct Note: ExactText {
  public static let rule = "a note is a string of at most 500 characters"
  public let text: String

  public init?(_ text: some StringProtocol) {
    guard text.hasCodePoints(atMost: 500) else { return nil }
    self.text = String(text)
  }
}
