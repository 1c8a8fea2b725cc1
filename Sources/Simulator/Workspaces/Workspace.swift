package import Core
package import FoundationEssentials

/// An isolated world: its devices, its accounts on the embedded backend, its
/// mail, clock, conditions and traffic.
package struct Workspace: Sendable, Equatable {
    /// `main`, or `ws_` and 16 characters.
    package let id: String
    /// For people; empty if nobody gave one.
    package var label: String
    /// By the real clock, as is the end of its lease.
    package let createdAt: Date
    /// When it goes; nil for `main`, which stays.
    package var expiresAt: Date?
    package var clock: Clock

    /// What one is leased for: whether the screens it shows count as seen.
    package enum Purpose: Sendable {
        /// Somebody looks around in it.
        case manual
        /// Foyer plays in it by itself: nothing there counts, unless it is
        /// handed to a test run later.
        case playback
    }

    /// There from the start, for whoever names none.
    package static let mainID = "main"
}
