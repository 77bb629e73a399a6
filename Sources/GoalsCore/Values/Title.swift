/// The name of a goal: 1 to 200 code points without control characters, kept trimmed.
public struct Title: ExactText {
  public static let rule =
    "a title has 1 to 200 characters, besides white space around it, and no control characters"
  public let text: String

  /// Trims white space; nil where the rest breaks the rule.
  public init?(_ text: some StringProtocol) {
    let trimmed = text.trimmed
    guard !trimmed.isEmpty, trimmed.hasCodePoints(atMost: 200), !trimmed.holdsControlCharacters
    else { return nil }
    self.text = String(trimmed)
  }
}
