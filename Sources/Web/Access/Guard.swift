package import Core

/// Access control in front of all handlers.
///
/// Listening on loopback is no protection: a page of any site can send requests here. Host, origin
/// and key are checked together (CVE-2025-49596 of MCP Inspector shows what happens otherwise).
package struct Guard: Sendable {
    /// Nil disables the key: all clients on this machine are allowed.
    let key: String?
    /// A keyed digest of a text, in hex.
    let mac: @Sendable (String) -> String
    private let world: World
    /// Name of the cookie of a browser that signed in with the key.
    package let cookieName: String
    /// The accepted `Host` values, with their port, in lower case.
    package let allowedHosts: Set<String>
    private let sessionCookies: SignedSessionCookies
    /// Failed authentications that are delayed now, however many connections there are.
    private let delayedFailures = UsageLimit(32)

    /// `extraHosts` are names besides loopback's, without the port.
    package init(
        key: String?, port: UInt16, extraHosts: [String],
        mac: @escaping @Sendable (String) -> String, world: World
    ) {
        self.key = key
        self.mac = mac
        self.world = world
        sessionCookies = SignedSessionCookies(mac: mac)
        cookieName = "foyer_key_\(port)"
        let names = (["127.0.0.1", "localhost", "[::1]"] + extraHosts).map { $0.lowercased() }
        allowedHosts = Set(names.map { "\($0):\(port)" } + (port == 80 ? names : []))
    }

    /// The outcome for an accepted request.
    package enum Decision: Sendable {
        /// Allowed; `cookie` is a `Set-Cookie` value for the response.
        case allowed(RequestContext.Authentication, cookie: String?)
        /// Responded to by the guard: the key in the URL was exchanged for a cookie.
        case redirected(Response)
    }

    /// Allows `request` or throws the reason.
    package func authorize(
        _ request: Request, target: RequestTarget, cookies: Cookies, isOpen: Bool
    ) async throws(Problem) -> Decision {
        try checkHost(request)
        if isOpen { return .allowed(.notRequired, cookie: nil) }
        if request.headers["Authorization"] != nil {
            // Only a scheme that no browser sends by itself, even where there is no key: browsers
            // attach Basic credentials to other sites' requests.
            guard let key = request.headers.bearerToken else { throw .invalidKey }
            try await verifyKey(key)
            return .allowed(.bearer, cookie: nil)
        }
        let cookie = cookies[cookieName]
        let csrfToken = cookie.flatMap(sessionCookies.csrfToken(ofCookie:))
        if request.method == .get || request.method == .head,
            let offeredKey = target.query.value(of: "key")
        {
            // A browser that has a cookie keeps it, or its open forms would be stale.
            return .redirected(
                try await exchangeKeyForCookie(
                    offeredKey, for: csrfToken == nil ? nil : cookie, target: target))
        }
        try FetchMetadataPolicy.checkSameOrigin(request, hosts: allowedHosts)
        if let csrfToken {
            if !request.method.isSafe {
                guard let offered = try submittedCSRF(request),
                    ConstantTime.areEqual(offered, csrfToken)
                else { throw .invalidCSRFToken }
            }
            return .allowed(.session(csrfToken: csrfToken), cookie: nil)
        }
        guard key == nil else { throw .keyRequired }
        // Even without a key a form is bound to its browser by the CSRF token.
        guard request.method.isSafe else { throw .invalidCSRFToken }
        let session = sessionCookies.make(world)
        return .allowed(
            .session(csrfToken: session.csrfToken), cookie: setCookieHeader(session.cookie))
    }

    /// Whether a request with these headers has the key, or the cookie of a browser that has shown
    /// it.
    package func isAuthenticated(_ headers: Headers) -> Bool {
        guard let key else { return true }
        if let bearer = headers.bearerToken { return ConstantTime.areEqual(bearer, key) }
        return Cookies(headers)[cookieName].flatMap(sessionCookies.csrfToken(ofCookie:)) != nil
    }

    /// The `Host` value of `request`, nil unless it is an allowed name.
    package func host(of request: Request) -> String? {
        let hosts = request.headers.all("Host")
        return hosts.count == 1 && allowedHosts.contains(hosts[0].lowercased()) ? hosts[0] : nil
    }

    func checkHost(_ request: Request) throws(Problem) {
        guard host(of: request) != nil else {
            throw Problem(
                status: 421, code: "wrong-host", title: "Unknown host",
                detail: """
                    The Host header must be one of \(allowedHosts.sorted().joined(separator: ", ")).
                    """)
        }
    }

    func verifyKey(_ offered: String) async throws(Problem) {
        if let key { try await verifySecret(offered, key) }
    }

    /// Whether the console's key occurs in `text`, percent-encoded or not.
    func containsKey(_ text: String) -> Bool {
        guard let key = key.map({ Array($0.utf8) }), !key.isEmpty, text.utf8.count >= key.count
        else { return false }
        let bytes = Array(text.utf8)[...]
        if ByteSearch.firstIndex(of: key, in: bytes) != nil { return true }
        guard bytes.contains(UInt8(ascii: "%")), let decoded = PercentEncoding.decode(bytes) else {
            return false
        }
        return ByteSearch.firstIndex(of: key, in: decoded[...]) != nil
    }

    /// A failed authentication takes 250 ms. While the maximum number is delayed, no other key is
    /// checked: an immediate check reveals whether the key is wrong, so guessing would proceed
    /// without delay.
    func verifySecret(_ offered: String, _ secret: String) async throws(Problem) {
        guard !delayedFailures.isReached else { throw .tooManyFailedAttempts }
        if ConstantTime.areEqual(offered, secret) { return }
        guard delayedFailures.acquire() else { throw .tooManyFailedAttempts }
        defer { delayedFailures.release() }
        // Only a client that disconnects cuts the delay short.
        try? await world.sleep(.milliseconds(250))
        throw .invalidKey
    }

    /// 303 to the same URL without the key, with `cookie` or a new one.
    private func exchangeKeyForCookie(_ offered: String, for cookie: String?, target: RequestTarget)
        async throws(Problem) -> Response
    {
        try await verifyKey(offered)
        let cookie = cookie ?? sessionCookies.make(world).cookie
        return Response(
            status: 303,
            headers: [
                "Location": target.pathAndQuery(without: "key"),
                "Set-Cookie": setCookieHeader(cookie),
            ])
    }

    /// A cookie that replaces the key, for a caller that has the key and passes the cookie to a
    /// browser.
    package func makeCookie() -> (name: String, value: String) {
        (cookieName, sessionCookies.make(world).cookie)
    }

    private func setCookieHeader(_ value: String) -> String {
        SetCookie(cookieName, value, maxAge: 31_536_000).headerValue
    }

    /// The token in the header or in the form's hidden field; throws the parser's error for a
    /// malformed form.
    private func submittedCSRF(_ request: Request) throws(Problem) -> String? {
        if let offered = request.headers["X-Foyer-CSRF"] { return offered }
        do { return try Form(request)["csrf"] } catch {
            guard error.status == 415 else { throw error }
        }
        do { return try Multipart(request).text("csrf") } catch {
            guard error.status == 415 else { throw error }
            return nil
        }
    }
}
