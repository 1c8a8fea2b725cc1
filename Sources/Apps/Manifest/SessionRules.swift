/// How an app keeps and loses its session.
package struct SessionRules: Sendable, Equatable {
    /// The call that refreshes; nil if the app has none.
    package var refreshCall: String?
    /// Seconds before `exp` to refresh ahead of time; 0 = only on 401.
    package var refreshLeadSeconds: Int
    /// The call that only asks who the access token speaks for, to hear
    /// whether it is taken; nil for the first that reads with it.
    package var probeCall: String?
    /// What to do when the session cannot be saved.
    package var expired: Expiry?

    package struct Expiry: Sendable, Equatable {
        package var areasToClear: [StorageKey.Area]
        /// The launch screen here means that the launch table runs again.
        package var destination: String
        package var message: String?
        package var presentation: Action.FailureHandling.Presentation
        package var title: String?
    }
}
