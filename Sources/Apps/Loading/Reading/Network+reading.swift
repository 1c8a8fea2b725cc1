/// How `network` is read from a manifest.
extension Network {
    init(_ source: Source?) throws(ManifestError) {
        self.init()
        guard let source else { return }
        try source.only("timeout", "retries", "backoff", "retryOn", "messages")
        if let source = source["timeout"] { timeout = try source.number(in: 0.1...300) }
        if let source = source["retries"] { retries = try source.int(in: 0...10) }
        if let source = source["backoff"] { backoff = try source.number(in: 0...60) }
        if let source = source["retryOn"] { retryOn = Set(try source.choices(RetryReason.self)) }
        guard let texts = source["messages"] else { return }
        try texts.only("offline", "refused", "timeout", "connection", "invalidResponse", "server")
        messages.offline = try texts["offline"]?.string() ?? messages.offline
        messages.refused = try texts["refused"]?.string()
        messages.timeout = try texts["timeout"]?.string() ?? messages.timeout
        messages.connection = try texts["connection"]?.string() ?? messages.connection
        messages.invalidResponse =
            try texts["invalidResponse"]?.string() ?? messages.invalidResponse
        messages.server = try texts["server"]?.string() ?? messages.server
    }
}
