/// A row of the launch table; the first whose `stored` holds is taken.
package struct LaunchRow: Sendable, Equatable {
    /// Captured names that must be stored.
    package var requiredNames: [String]
    /// Captured names that must not be stored.
    package var absentNames: [String]
    /// Stored values that must be these: `isAuthenticated: 'true'`.
    package var `expectedValues`: [String: String]
    /// An access token that has expired, or is about to, is refreshed first.
    package var refreshesExpiredToken: Bool
    /// Calls made in order before going on.
    package var calls: [String]
    /// What is stored of what the calls captured.
    package var namesToStore: [String]
    /// Areas emptied when the row is taken, before its calls.
    package var areasToClear: [StorageKey.Area]
    package var destination: String
    /// Rows asked before `go`: the first that fits decides.
    package var navigationRules: [Action.NavigationRule]
    /// Failure kind (`unverified`, `offline`, `timeout`, `connection`,
    /// `failed`) to a screen, or `stay`: the splash shows the error and Retry.
    package var onFailure: [String: String]
}
