/// A row of the launch table; the first whose `stored` holds is taken.
package struct LaunchRow: Sendable, Equatable {
    /// Captured names that must be stored.
    package var stored: [String]
    /// Captured names that must not be stored.
    package var missing: [String]
    /// Stored values that must be these: `isAuthenticated: 'true'`.
    package var `where`: [String: String]
    /// An access token that has expired, or is about to, is refreshed first.
    package var renew: Bool
    /// Calls made in order before going on.
    package var calls: [String]
    /// What is stored of what the calls captured.
    package var store: [String]
    /// Areas emptied when the row is taken, before its calls.
    package var clear: [StorageKey.Area]
    package var go: String
    /// Rows asked before `go`: the first that fits decides.
    package var goWhen: [Action.GoRow]
    /// Failure kind (`unverified`, `offline`, `timeout`, `connection`,
    /// `failed`) to a screen, or `stay`: the splash shows the error and Retry.
    package var otherwise: [String: String]
}
