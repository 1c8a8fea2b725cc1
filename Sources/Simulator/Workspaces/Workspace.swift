package import Core
package import FoundationEssentials

/// An isolated environment: its devices, its accounts on the embedded backend, its mail, clock,
/// faults and traffic.
package struct Workspace: Sendable, Equatable {
    /// `main`, or `ws_` and 16 characters.
    package let id: String
    /// For display; empty if unset.
    package var label: String
    /// By the system clock, like `expiresAt`.
    package let createdAt: Date
    /// The end of its lease; nil for `main`, which has none.
    package var expiresAt: Date?
    package var clock: Clock

    /// What a workspace is leased for: decides whether its transitions are counted.
    package enum Purpose: Sendable {
        /// A user uses it.
        case manual
        /// Foyer's own playback: its transitions are not counted, unless it is assigned to a test
        /// run later.
        case playback
    }

    /// The default workspace, which always exists.
    package static let mainID = "main"
}
