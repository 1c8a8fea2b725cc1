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

    init() {}

    init(_ node: ManifestNode) throws {
        try node.allowOnly(["timeout", "retries", "backoff", "retryOn", "messages"])
        timeout = try node["timeout"]?.number(in: 0.1...300) ?? timeout
        retries = try node["retries"]?.int(in: 0...10) ?? retries
        backoff = try node["backoff"]?.number(in: 0...60) ?? backoff
        if let node = node["retryOn"] { retryReasons = Set(try node.choices(RetryReason.self)) }
        messages = try Messages(node.object("messages"))
    }

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

        init() {}

        init(_ node: ManifestNode) throws {
            try node.allowOnly([
                "offline", "refused", "timeout", "connection", "invalidResponse", "server",
            ])
            offline = try node.text("offline", .network, default: offline)
            timeout = try node.text("timeout", .network, default: timeout)
            connectionRefused = try node["refused"]?.text(.network)
            connection = try node.text("connection", .network, default: connection)
            invalidResponse = try node.text("invalidResponse", .network, default: invalidResponse)
            node["server"]?.recordVariables(.variable(also: ["status"]))
            serverError = try node.text("server", .network, default: serverError)
        }
    }
}
