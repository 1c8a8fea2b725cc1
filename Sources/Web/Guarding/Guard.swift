package import Surroundings

/// The outermost layer: decides whether a request is let in, before anything
/// acts on it.
///
/// Loopback alone protects nobody: every page of every site can send requests
/// here. Host, origin and key are checked together (MCP Inspector's
/// CVE-2025-49596 is what happens otherwise).
package struct Guard: Sendable {
    private let configuration: Configuration
    /// The names that are ours, with their port, in lower case.
    package let hosts: Set<String>
    private let sessions: BrowserSessions
    private let slowed = Slowed()

    package struct Configuration: Sendable {
        /// nil lets everybody on this machine in.
        package var key: String?
        package var port: UInt16
        /// Names besides loopback's own, without the port.
        package var hosts: [String]
        /// A keyed digest of a text, hex.
        package var mac: @Sendable (String) -> String
        package var world: World

        package init(
            key: String?, port: UInt16, hosts: [String],
            mac: @escaping @Sendable (String) -> String, world: World
        ) {
            self.key = key
            self.port = port
            self.hosts = hosts
            self.mac = mac
            self.world = world
        }
    }

    /// What becomes of a request.
    package enum Decision: Sendable {
        /// Let in; `cookie` is to be set on the answer.
        case admitted(Visit.Pass, cookie: String?)
        /// Answered here: the key in the address was exchanged for a cookie.
        case answered(Response)
    }

    package init(_ configuration: Configuration) {
        self.configuration = configuration
        sessions = BrowserSessions(mac: configuration.mac)
        cookieName = "foyer_key_\(configuration.port)"
        let names = ["127.0.0.1", "localhost", "[::1]"] + configuration.hosts
        hosts = Set(
            names.flatMap { name in
                let name = name.lowercased()
                let full = "\(name):\(configuration.port)"
                return configuration.port == 80 ? [name, full] : [full]
            })
    }

    /// The cookie of a browser that has shown the key.
    package let cookieName: String

    /// Lets `request` in or throws why not.
    package func decide(_ request: Request, target: Target, cookies: Cookies, open: Bool)
        async throws(Problem) -> Decision
    {
        try checkHost(request)
        if open { return .admitted(.open, cookie: nil) }
        if let authorization = request.headers["Authorization"] {
            try await checkBearer(authorization)
            return .admitted(.bearer, cookie: nil)
        }
        let cookie = cookies[cookieName]
        let csrf = cookie.flatMap(sessions.csrf(ofCookie:))
        if request.method == .get || request.method == .head,
            let offered = target.query.first(where: { $0.name == "key" })
        {
            // A browser that had a cookie keeps it, or its open forms would
            // be stale.
            return .answered(
                try await exchange(offered.value, for: csrf == nil ? nil : cookie, target: target))
        }
        try FetchSite.check(request, hosts: hosts)
        if let csrf {
            if !request.method.isSafe { try checkCSRF(request, csrf) }
            return .admitted(.session(csrf: csrf), cookie: nil)
        }
        guard configuration.key == nil else { throw .keyNeeded }
        // Without a key a form is bound to its browser all the same.
        guard request.method.isSafe else { throw .staleForm }
        let fresh = sessions.make(configuration.world.identifier)
        return .admitted(
            .session(csrf: sessions.csrf(fresh)), cookie: setCookie(sessions.cookie(fresh)))
    }

    /// Whether a request with these headers has the key, or the cookie of one
    /// that had.
    package func knows(_ headers: Headers) -> Bool {
        guard let key = configuration.key else { return true }
        if let bearer = headers["Authorization"].flatMap(Self.bearer) {
            return ConstantTime.equal(bearer, key)
        }
        return Cookies(headers)[cookieName].flatMap(sessions.csrf(ofCookie:)) != nil
    }

    /// The name `request` calls us by, nil if it is none of ours.
    package func host(of request: Request) -> String? {
        let named = request.headers.all("Host")
        guard named.count == 1, hosts.contains(named[0]) || hosts.contains(named[0].lowercased())
        else { return nil }
        return named[0]
    }

    func checkHost(_ request: Request) throws(Problem) {
        guard host(of: request) != nil else {
            throw Problem(
                status: 421, code: "wrong-host", title: "This is not a name of this console",
                detail: """
                    The Host header must be one of \
                    \(hosts.sorted().joined(separator: ", ")).
                    """)
        }
    }

    /// Only a scheme that no browser sends by itself counts, even where any
    /// key will do: Basic credentials go along with other sites' requests.
    private func checkBearer(_ authorization: String) async throws(Problem) {
        guard let key = Self.bearer(authorization) else { throw .wrongKey }
        try await checkKey(key)
    }

    /// The key of `Bearer key`.
    private static func bearer(_ authorization: String) -> String? {
        let parts = authorization.split(separator: " ", maxSplits: 1)
        return parts.count == 2 && Headers.same(String(parts[0]), "Bearer") ? String(parts[1]) : nil
    }

    func checkKey(_ offered: String) async throws(Problem) {
        guard let key = configuration.key else { return }
        try await check(offered, key)
    }

    /// Whether there is a key to be shown.
    var needsKey: Bool { configuration.key != nil }

    /// Whether this console's own key stands anywhere in `text`, percent
    /// escapes or not.
    func holdsKey(_ text: some StringProtocol) -> Bool {
        guard let key = configuration.key?.utf8, !key.isEmpty, text.utf8.count >= key.count else {
            return false
        }
        let bytes = Array(text.utf8)[...]
        return Self.holds(key, bytes)
            || bytes.contains(UInt8(ascii: "%"))
                && Self.holds(key, PercentEncoding.decode(bytes, plusIsSpace: false) ?? [])
    }

    private static func holds(_ key: String.UTF8View, _ bytes: some RandomAccessCollection<UInt8>)
        -> Bool
    {
        guard let first = key.first else { return false }
        var rest = bytes[...]
        while rest.count >= key.count {
            if rest.starts(with: key) { return true }
            rest = rest.dropFirst()
            guard let next = rest.firstIndex(of: first) else { break }
            rest = rest[next...]
        }
        return false
    }

    func mac(_ text: String) -> String { configuration.mac(text) }

    func check(_ offered: String, _ key: String) async throws(Problem) {
        guard !slowed.isFull else { throw .tooManyGuesses }
        guard ConstantTime.equal(offered, key) else {
            let isDelayed = await slowed.pause(configuration.world)
            throw isDelayed ? .wrongKey : .tooManyGuesses
        }
    }

    /// 303 to the same address without the key, with `cookie` set or a fresh
    /// one.
    private func exchange(_ offered: String, for cookie: String?, target: Target)
        async throws(Problem) -> Response
    {
        try await checkKey(offered)
        let cookie = cookie ?? sessions.cookie(sessions.make(configuration.world.identifier))
        return Response(
            status: 303,
            headers: ["Location": target.address(without: "key"), "Set-Cookie": setCookie(cookie)])
    }

    /// The cookie of a browser that need not show the key any more, for
    /// whoever has shown it and hands it on.
    package func freshCookie() -> (name: String, value: String) {
        let id = sessions.make(configuration.world.identifier)
        return (cookieName, sessions.cookie(id))
    }

    private func setCookie(_ value: String) -> String {
        SetCookie(cookieName, value, maxAge: 31_536_000).line
    }

    private func checkCSRF(_ request: Request, _ csrf: String) throws(Problem) {
        guard let offered = try offeredCSRF(request), ConstantTime.equal(offered, csrf) else {
            throw .staleForm
        }
    }

    /// What stands in the header, or in the form's hidden field; a form that
    /// cannot be read says so itself.
    private func offeredCSRF(_ request: Request) throws(Problem) -> String? {
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
