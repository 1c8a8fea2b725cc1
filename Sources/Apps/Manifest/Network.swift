/// An app's timeouts, retries and network error messages.
package struct Network: Sendable, Equatable {
    /// Seconds per attempt.
    package var timeout: Double = 30
    /// Attempts after the first.
    package var retries: Int = 0
    /// Seconds before the first retry; doubles with each retry, with jitter.
    package var backoff: Double = 1
    package var retryReasons: Set<RetryReason> = [.serverError, .timeout, .connection]
    package var messages: Messages = Messages()

    package enum RetryReason: String, Sendable, CaseIterable {
        case serverError = "5xx"
        case timeout
        case connection
    }

    /// Shown when there is no usable response.
    package struct Messages: Sendable, Equatable {
        package var offline = "No internet connection."
        package var timeout = "The request timed out."
        /// The resolved address refused the connection; nil uses `offline`.
        package var connectionRefused: String?
        package var connection = "Could not connect to the server."
        package var invalidResponse = "Invalid response from server."
        /// For a failure status without another message; `{status}` is replaced.
        package var serverError = "Server error ({status})."
    }
}
