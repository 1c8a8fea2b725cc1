/// How an app behaves on the network.
package struct Network: Sendable, Equatable {
    /// Seconds per attempt.
    package var timeout: Double = 30
    /// Attempts after the first.
    package var retries: Int = 0
    /// Seconds before the first retry; doubles with each, with jitter.
    package var backoff: Double = 1
    package var retryReasons: Set<RetryReason> = [.serverError, .timeout, .connection]
    package var messages: Messages = Messages()

    package enum RetryReason: String, Sendable, CaseIterable {
        case serverError = "5xx"
        case timeout
        case connection
    }

    /// What the user reads when there is no usable answer.
    package struct Messages: Sendable, Equatable {
        package var offline = "No internet connection."
        package var timeout = "The request timed out."
        /// Nobody answers at an address that was found; nil is `offline`.
        package var connectionRefused: String?
        package var connection = "Could not connect to the server."
        package var invalidResponse = "Invalid response from server."
        /// A failure status nothing else has words for; `{status}` is filled.
        package var serverError = "Server error ({status})."
    }
}
