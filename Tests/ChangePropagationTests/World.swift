/// What a script is played on. Streams 0 to 2 are sources and are never released; the others are
/// numbered as they are derived, observers as they are registered.
protocol World: AnyObject {
  var streamCount: Int { get }
  /// Called with an observer's number and what it was told.
  var called: (Int, Int) -> Void { get set }

  func holds(_ stream: Int) -> Bool
  func isChanging(_ stream: Int) -> Bool
  func announce(on source: Int, _ value: Int)
  func observe(_ stream: Int, context: Int, as observer: Int)
  func drop(context: Int)
  func derive(_ derivation: Derivation)
  func release(_ stream: Int)
  func disable(_ observer: Int, in body: () -> Void)
  func current(_ stream: Int) -> Int
}
