import FoundationEssentials

/// Access control for proxied requests.
///
/// A real app does not send the console's keys but its own `Authorization`, so the origin of the
/// request decides. Programs on this machine are allowed: they can choose only among the app's
/// backends, which they reach without the proxy too. A page in a browser is rejected, since
/// otherwise every site could make calls to them and read their responses. A client on another
/// machine must show the key or a secret derived from it.
extension Guard {
    /// The key header, for clients that can send headers of their own.
    package static let keyHeader = "X-Foyer-Key"

    /// Allows `request` or throws the reason; `segment` is the path segment that names the
    /// workspace.
    package func authorize(_ request: Request, proxySegment segment: String) async throws(Problem)
        -> Decision
    {
        try checkHost(request)
        try FetchMetadataPolicy.checkProxied(request, hosts: allowedHosts)
        // What is forwarded from here reaches another party's server.
        guard !leaksKey(request) else { throw .keyWouldLeak }
        let (workspace, secret) = Self.splitProxySegment(segment)
        if let secret {
            try await verifySecret(secret, proxySecret(of: workspace))
        } else if let key = request.headers[Self.keyHeader] {
            try await verifyKey(key)
        } else if !Self.isLoopback(request.peer), self.key != nil {
            throw .proxyKeyRequired
        }
        return .allowed(.notRequired, cookie: nil)
    }

    /// Whether the console's key would be forwarded in the URL or a header, on its own or inside
    /// another value.
    private func leaksKey(_ request: Request) -> Bool {
        containsKey(request.target)
            || request.headers.fields.contains { field in
                (containsKey(field.value) || containsKeyInBasicCredentials(field))
                    // These headers are not forwarded.
                    && !field.name.lowercased().hasPrefix("x-foyer-")
            }
    }

    /// Whether `Basic` credentials contain the key.
    private func containsKeyInBasicCredentials(_ field: Headers.Field) -> Bool {
        guard Headers.areEqual(field.name, "Authorization"),
            let last = field.value.split(whereSeparator: \.isWhitespace).last,
            let credentials = Data(base64Encoded: String(last))
        else { return false }
        return containsKey(String(decoding: credentials, as: UTF8.self))
    }

    /// The secret that a client on another machine appends to the workspace's name.
    package func proxySecret(of workspace: String) -> String {
        String(mac("through:" + workspace).prefix(32))
    }

    /// Splits `main~secret` into the workspace and the secret.
    package static func splitProxySegment(_ segment: String) -> (workspace: String, secret: String?)
    {
        guard let tilde = segment.utf8.firstIndex(of: UInt8(ascii: "~")) else {
            return (segment, nil)
        }
        return (String(segment[..<tilde]), String(segment[segment.utf8.index(after: tilde)...]))
    }

    private static func isLoopback(_ peer: String) -> Bool {
        peer.hasPrefix("127.") || peer == "::1" || peer.hasPrefix("::ffff:127.")
    }
}

/// The guard's rejections.
extension Problem {
    package static let keyRequired = Problem(
        status: 401, code: "key-needed", title: "Unauthorized",
        detail: """
            Open the URL with ?key=… printed at start, or send Authorization: Bearer <key>.
            """, headers: ["WWW-Authenticate": "Bearer realm=\"foyer\""])

    static let invalidKey = Problem(
        status: 401, code: "wrong-key", title: "Invalid key",
        detail: "The key is in the URL printed at start and in the file console.key of the data "
            + "folder.", headers: ["WWW-Authenticate": "Bearer realm=\"foyer\""])

    static let tooManyFailedAttempts = Problem(
        status: 429, code: "too-many-guesses", title: "Too many invalid keys",
        detail: "Keys are not checked while too many attempts fail. Try again in a moment; "
            + "signed-in browsers still work.", headers: ["Retry-After": "1"])

    static let proxyKeyRequired = Problem(
        status: 401, code: "key-needed", title: "Unauthorized",
        detail: "From another machine, send X-Foyer-Key: <key>, or use the URL that the app's "
            + "studio shows there.")

    static let keyWouldLeak = Problem(
        status: 400, code: "key-in-proxied-request", title: "This would leak the console's key",
        detail: "Headers and query are forwarded to the app's backend. Send the key as "
            + "X-Foyer-Key, or not at all.")

    static let proxyFromWebPage = Problem(
        status: 403, code: "cross-site", title: "Web pages cannot use the proxy",
        detail: "This URL is for apps and scripts. The request comes from a page of another "
            + "origin, or requests a script, an image or a frame.")

    static let invalidCSRFToken = Problem(
        status: 403, code: "stale-form", title: "Invalid or expired form",
        detail: "Its csrf field does not match this browser. Reload the page and submit it again. "
            + "No changes were made.")
}
