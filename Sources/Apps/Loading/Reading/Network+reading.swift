/// The `network` part of a manifest.
extension Network {
    init(_ node: ManifestNode?) throws(ManifestError) {
        self.init()
        guard let node else { return }
        try node.allowOnly("timeout", "retries", "backoff", "retryOn", "messages")
        if let node = node["timeout"] { timeout = try node.number(in: 0.1...300) }
        if let node = node["retries"] { retries = try node.int(in: 0...10) }
        if let node = node["backoff"] { backoff = try node.number(in: 0...60) }
        if let node = node["retryOn"] { retryReasons = Set(try node.choices(RetryReason.self)) }
        guard let texts = node["messages"] else { return }
        try texts.allowOnly(
            "offline", "refused", "timeout", "connection", "invalidResponse", "server")
        messages.offline = try texts["offline"]?.string() ?? messages.offline
        messages.connectionRefused = try texts["refused"]?.string()
        messages.timeout = try texts["timeout"]?.string() ?? messages.timeout
        messages.connection = try texts["connection"]?.string() ?? messages.connection
        messages.invalidResponse =
            try texts["invalidResponse"]?.string() ?? messages.invalidResponse
        messages.serverError = try texts["server"]?.string() ?? messages.serverError
    }
}
