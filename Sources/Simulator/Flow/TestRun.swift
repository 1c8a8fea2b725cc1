package import FoundationEssentials

/// Workspaces that were leased for one run of somebody's tests.
///
/// One leased belongs to the run of its name, given or not, in which
/// something was done not long ago; else it begins another.
package struct TestRun: Sendable, Equatable {
    package let number: Int
    /// Empty if nobody gave one.
    package var name: String
    /// By the real clock, as is `lastAt`.
    package var startedAt: Date
    /// When a workspace of it was leased or showed a screen, the last time.
    package var lastAt: Date
    /// How many were leased.
    package var workspaces: Int

    /// Seconds after which a run without a name is over, and one with.
    package static let pause = 60.0
    package static let pauseOfNamed = 3_600.0
    /// So many are remembered, those in which something was done last.
    package static let bound = 20
    /// How many bytes a name may have.
    package static let longestName = 80
}

/// Whose screens count as seen.
package enum SeenBy: Sendable, Equatable {
    /// By hand or in one of the runs that are remembered.
    case anybody
    case hand
    case run(Int)
}
