package import FoundationEssentials

/// Workspaces that were leased for one run of somebody's tests.
///
/// One leased belongs to the newest run of its name, given or not, in which
/// something was done within the last minute, or, with a name, of which a
/// workspace is open; else it begins another.
package struct TestRun: Sendable, Equatable {
    package let number: Int
    /// Empty if nobody gave one.
    package var name: String
    /// By the real clock, as is `lastAt`.
    package var startedAt: Date
    /// When a workspace of it was leased, showed a screen or was given back,
    /// the last time.
    package var lastActivityAt: Date
    /// How many were leased.
    package var workspaceCount: Int

    /// Seconds without anything done after which a run is over.
    package static let idleTimeout = 60.0
    /// So many are remembered, those in which something was done last.
    package static let maxCount = 20
    /// How many bytes a name may have.
    package static let maxNameLength = 80
}

/// Whose screens count as seen.
package enum TransitionScope: Sendable, Equatable {
    /// By hand or in one of the runs that are remembered.
    case all
    case manual
    case run(Int)
}
