/// One of two: what a merge of two streams tells.
public enum Either<Left, Right> {
  case left(Left)
  case right(Right)
}

extension Either: Sendable where Left: Sendable, Right: Sendable {}
extension Either: Equatable where Left: Equatable, Right: Equatable {}
extension Either: Hashable where Left: Hashable, Right: Hashable {}
