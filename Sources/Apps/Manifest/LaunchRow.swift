/// A row of the launch table; the first row whose requirements are met is used.
package struct LaunchRow: Sendable, Equatable {
    /// Captured names that must be stored.
    package var requiredNames: [String]
    /// Captured names that must not be stored.
    package var absentNames: [String]
    /// Required stored values: `isAuthenticated: 'true'`.
    package var `expectedValues`: [String: String]
    /// An access token that has expired or is about to is refreshed first.
    package var refreshesExpiredToken: Bool
    /// Calls made in order before navigating.
    package var calls: [String]
    /// Captured values to store, by name.
    package var namesToStore: [String]
    /// Areas cleared before the row's calls.
    package var areasToClear: [StorageKey.Area]
    package var destination: String
    /// Rules evaluated before `destination`; the first that matches wins.
    package var navigationRules: [Action.NavigationRule]
    /// Failure kind (`unverified`, `offline`, `timeout`, `connection`, `failed`) to a screen, or to
    /// `stay`: the launch screen shows the error and Retry.
    package var onFailure: [String: String]
}
