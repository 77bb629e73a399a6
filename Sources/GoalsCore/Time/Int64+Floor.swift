extension Int64 {
  /// The quotient rounded towards negative infinity, for a positive divisor. So days and seconds
  /// before 1970 count backwards without a seam.
  func floored(by divisor: Int64) -> Int64 {
    let quotient = self / divisor
    return self % divisor < 0 ? quotient - 1 : quotient
  }

  /// The remainder of `floored(by:)`: from 0 to below the divisor.
  func modulo(_ divisor: Int64) -> Int64 {
    let remainder = self % divisor
    return remainder < 0 ? remainder + divisor : remainder
  }
}
