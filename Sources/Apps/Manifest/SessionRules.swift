/// How an app refreshes, checks and ends its session.
package struct SessionRules: Sendable, Equatable {
    /// The call that refreshes the session; nil if the app has none.
    package var refreshCall: String?
    /// Seconds before `exp` at which to refresh; 0 refreshes only after a 401.
    package var refreshLeadSeconds: Int
    /// The call that checks whether the access token is accepted; nil uses the first call that only
    /// reads with it.
    package var probeCall: String?
    /// What to do when the session has expired and cannot be refreshed.
    package var expired: Expiry?

    package struct Expiry: Sendable, Equatable {
        package var areasToClear: [StorageKey.Area]
        /// The launch screen runs the launch table again.
        package var destination: String
        package var message: String?
        package var presentation: Action.FailureHandling.Presentation
        package var title: String?
    }
}
