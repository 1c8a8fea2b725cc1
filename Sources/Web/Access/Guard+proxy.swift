import FoundationEssentials

/// Who may have calls passed through to a backend.
///
/// A real app sends none of our keys and its own `Authorization`, so what
/// decides is where a request comes from. Programs on this machine may: with
/// nothing but our own backends' addresses to choose from they reach what they
/// reach without us. A page in a browser may not, or every site could make
/// calls there and have their answers; and a client on another machine shows
/// that it knows the console.
extension Guard {
    /// The header of those who can send one of their own.
    package static let keyHeader = "X-Foyer-Key"

    /// Lets `request` in or throws why not; `segment` is the part of the
    /// address that names the workspace.
    package func authorize(_ request: Request, proxySegment segment: String) async throws(Problem)
        -> Decision
    {
        try checkHost(request)
        try FetchMetadataPolicy.checkProxied(request, hosts: allowedHosts)
        // What goes on from here goes to somebody else's server.
        guard !requiresKey || !leaksKey(request) else { throw .keyWouldLeak }
        let (workspace, secret) = Self.splitProxySegment(segment)
        if let secret {
            try await verifySecret(secret, proxySecret(of: workspace))
        } else if let key = request.headers[Self.keyHeader] {
            try await verifyKey(key)
        } else if !Self.isLoopback(request.peer), requiresKey {
            throw .proxyKeyRequired
        }
        return .allowed(.notRequired, cookie: nil)
    }

    /// Whether the console's key would go along in the address or a header,
    /// within whatever else stands there.
    private func leaksKey(_ request: Request) -> Bool {
        containsKey(request.target)
            || request.headers.fields.contains { field in
                // Those stay here.
                !field.name.lowercased().hasPrefix("x-foyer-")
                    && (containsKey(field.value) || containsKeyInBasicCredentials(field))
            }
    }

    /// Whether `Basic` credentials hold it.
    private func containsKeyInBasicCredentials(_ field: Headers.Field) -> Bool {
        guard Headers.areEqual(field.name, "Authorization"),
            let last = field.value.split(whereSeparator: \.isWhitespace).last,
            let held = Data(base64Encoded: String(last))
        else { return false }
        return containsKey(String(decoding: held, as: UTF8.self))
    }

    /// What another machine's client has behind the workspace's name.
    package func proxySecret(of workspace: String) -> String {
        String(mac("through:" + workspace).prefix(32))
    }

    /// `main~secret`: the workspace, and what stands behind its name.
    package static func splitProxySegment(_ segment: String) -> (workspace: String, secret: String?)
    {
        let parts = segment.split(separator: "~", maxSplits: 1, omittingEmptySubsequences: false)
        return (String(parts[0]), parts.count > 1 ? String(parts[1]) : nil)
    }

    private static func isLoopback(_ peer: String) -> Bool {
        peer.hasPrefix("127.") || peer == "::1" || peer.hasPrefix("::ffff:127.")
    }
}
