package import FoundationEssentials

/// A test run: the workspaces leased by one run of tests.
///
/// A leased workspace joins the newest run of its name (or without a name) if that was active
/// within the last minute or, with a name, has an open workspace; otherwise it starts a new run.
package struct TestRun: Sendable, Equatable {
    package let number: Int
    /// Empty if unnamed.
    package var name: String
    /// By the system clock, like `lastActivityAt`.
    package var startedAt: Date
    /// When one of its workspaces was last leased, showed a screen, or was ended.
    package var lastActivityAt: Date
    /// Number of leased workspaces.
    package var workspaceCount: Int

    /// Seconds without activity after which a run is over.
    package static let idleTimeout = 60.0
    /// Number of stored runs, the most recently active.
    package static let maxCount = 20
    /// Maximal length of a name in bytes.
    package static let maxNameLength = 80
}

/// Which transitions are counted.
package enum TransitionScope: Sendable, Equatable {
    /// Manual use and all stored test runs.
    case all
    case manual
    case run(Int)
}
