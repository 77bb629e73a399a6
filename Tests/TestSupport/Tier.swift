import Foundation

/// What a run of the tests holds. `make test` is the fast tier, for every change. `make test-all`
/// says `GOALS_TEST_ALL=1`: everything is run, at full volume and with new random seeds.
package enum Tier {
  package static let isAll =
    !(ProcessInfo.processInfo.environment["GOALS_TEST_ALL"] ?? "").isEmpty

  /// How much of something is tried.
  package static func volume<Amount>(_ fast: Amount, all: Amount) -> Amount {
    isAll ? all : fast
  }
}
