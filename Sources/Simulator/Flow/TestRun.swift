package import FoundationEssentials

/// Workspaces that were leased for one run of somebody's tests.
///
/// Those leased under one name belong together; without a name, one belongs
/// to the run before it unless nothing was done there for `TestRun.pause`.
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

    /// Seconds.
    package static let pause = 60.0
    /// So many are remembered, the newest.
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
