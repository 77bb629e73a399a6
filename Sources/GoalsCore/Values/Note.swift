/// A remark on a bump: at most 500 code points.
public struct Note: ExactText {
  /// What a note may be, as part of a sentence.
  public static let rule = "a note is a string of at most 500 characters"
  /// The note as a person wrote it.
  public let text: String

  /// Nil for more than 500 code points.
  public init?(_ text: some StringProtocol) {
    guard text.hasCodePoints(atMost: 500) else { return nil }
    self.text = String(text)
  }
}
