/// One of two values: a merge of two streams tells changes of the left and of the right one.
public enum Either<Left, Right> {
  /// A value of the first kind.
  case left(Left)
  /// A value of the second kind.
  case right(Right)
}

extension Either: Sendable where Left: Sendable, Right: Sendable {}
extension Either: Equatable where Left: Equatable, Right: Equatable {}
extension Either: Hashable where Left: Hashable, Right: Hashable {}
