/// The unit of a goal's count, "km" or "glasses": 1 to 20 code points without control characters.
public struct GoalUnit: ExactText {
  /// What a unit may be, as part of a sentence.
  public static let rule = "a unit has at most 20 characters and no control characters"
  /// The unit, such as `km`.
  public let text: String

  /// Nil where the text breaks the rule; an empty text is no unit.
  public init?(_ text: some StringProtocol) {
    guard !text.isEmpty, text.hasCodePoints(atMost: 20), !text.holdsControlCharacters else {
      return nil
    }
    self.text = String(text)
  }
}
