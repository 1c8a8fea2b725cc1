/// How an app keeps and loses its session.
package struct SessionRules: Sendable, Equatable {
    /// The call that refreshes; nil if the app has none.
    package var refresh: String?
    /// Seconds before `exp` to refresh ahead of time; 0 = only on 401.
    package var refreshBefore: Int
    /// The call that only asks who the access token speaks for, to hear
    /// whether it is taken; nil for the first that reads with it.
    package var probe: String?
    /// What to do when the session cannot be saved.
    package var lost: Lost?

    package struct Lost: Sendable, Equatable {
        package var clear: [StorageKey.Area]
        /// The launch screen here means that the launch table runs again.
        package var go: String
        package var message: String?
        package var show: Action.OnFailure.Show
        package var title: String?
    }
}
