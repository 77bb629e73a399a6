/// One of two values: a merge of two streams tells changes of the left and of the right one.
public enum Either<Left, Right> {
  case left(Left)
  case right(Right)
}

extension Either: Sendable where Left: Sendable, Right: Sendable {}
extension Either: Equatable where Left: Equatable, Right: Equatable {}
extension Either: Hashable where Left: Hashable, Right: Hashable {}
