/// A state a screen can be in, and what brings it there.
package struct ScreenState: Sendable, Equatable {
    /// Unique on its screen: `default`, `error.email`, `failure.login.2`,
    /// `confirm.logout` …
    package var name: String
    package var cause: Cause

    package enum Cause: Sendable, Equatable {
        /// As it is first shown.
        case initial
        /// A launch screen while its table runs, or an action under way.
        case loading(action: String)
        /// An action that cannot be pressed yet.
        case disabled(action: String)
        /// A rule was broken; for a rule about several fields, its first.
        case fieldError(field: String, message: String)
        /// A call's answer matched this row of its failures.
        case failure(action: String, call: String, index: Int)
        /// A failure nothing in the manifest has words for.
        case unknownFailure(action: String)
        /// There was no usable answer.
        case network(action: String, NetworkFailure)
        case confirm(action: String)
        /// What is said after success: a toast, a notice, a dialog.
        case success(action: String, Feedback)
        /// Sent here because the session could not be saved.
        case sessionExpired
    }

    package enum NetworkFailure: String, Sendable, CaseIterable {
        case offline, timeout, connection, invalidResponse
    }

    package enum Feedback: String, Sendable, CaseIterable { case toast, notice, alert }
}
