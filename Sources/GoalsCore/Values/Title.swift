/// The name of a goal: 1 to 200 code points without control characters, kept trimmed.
public struct Title: ExactText {
  /// What a title may be, as part of a sentence.
  public static let rule =
    "a title has 1 to 200 characters, besides white space around it, and no control characters"
  /// The title, trimmed.
  public let text: String

  /// Trims white space; nil where the rest breaks the rule.
  public init?(_ text: some StringProtocol) {
    let trimmed = text.trimmed
    guard !trimmed.isEmpty, trimmed.hasCodePoints(atMost: 200), !trimmed.holdsControlCharacters
    else { return nil }
    self.text = String(trimmed)
  }
}
