/// A state a screen can be in, and its cause.
package struct ScreenState: Sendable, Equatable {
    /// Unique on its screen: `default`, `error.email`, `failure.login.2`, `confirm.logout` …
    package var name: String
    package var cause: Cause

    package enum Cause: Sendable, Equatable {
        /// As first shown.
        case initial
        /// A launch screen while its table runs, or an action in progress.
        case loading(action: String)
        /// An action that is not enabled yet.
        case disabled(action: String)
        /// A broken rule; for a rule about several fields, the first of them.
        case fieldError(field: String, message: String)
        /// A response that matched the row `index` of the call's failures.
        case failure(action: String, call: String, index: Int)
        /// A failure the manifest has no message for.
        case unknownFailure(action: String)
        /// No usable response.
        case network(action: String, NetworkFailure)
        case confirm(action: String)
        /// Feedback after success: a toast, a notice, a dialog.
        case success(action: String, Feedback)
        /// Shown because the session expired and could not be refreshed.
        case sessionExpired
    }

    package enum NetworkFailure: String, Sendable, CaseIterable {
        case offline, timeout, connection, invalidResponse
    }

    package enum Feedback: String, Sendable, CaseIterable { case toast, notice, alert }
}
