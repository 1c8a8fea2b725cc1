package import Surroundings
import Synchronization

/// The outermost layer: decides whether a request is let in, before anything
/// acts on it.
///
/// Loopback alone protects nobody: every page of every site can send requests
/// here. Host, origin and key are checked together (MCP Inspector's
/// CVE-2025-49596 is what happens otherwise).
package struct Guard: Sendable {
    private let configuration: Configuration
    private let hosts: Set<String>
    private let slowed = Slowed()
    private let sessions: BrowserSessions

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
        let names = ["127.0.0.1", "localhost", "[::1]"] + configuration.hosts
        hosts = Set(
            names.flatMap { name in
                let name = name.lowercased()
                let full = "\(name):\(configuration.port)"
                return configuration.port == 80 ? [name, full] : [full]
            })
    }

    /// The cookie of a browser that has shown the key.
    package var cookieName: String { "foyer_key_\(configuration.port)" }

    /// Lets `request` in or throws why not.
    package func decide(
        _ request: Request, target: Target, cookies: Cookies, open: Bool
    ) async throws(Problem) -> Decision {
        try Framing.check(request)
        try checkHost(request)
        if open { return .admitted(.open, cookie: nil) }
        if let authorization = request.headers["Authorization"] {
            try await checkBearer(authorization)
            return .admitted(.bearer, cookie: nil)
        }
        if request.method == .get || request.method == .head,
            let offered = target.query.first(where: { $0.name == "key" })
        {
            return .answered(
                try await exchange(offered.value, target: target))
        }
        try FetchSite.check(request, hosts: hosts)
        let known = cookies[cookieName].flatMap(sessions.csrf(ofCookie:))
        if known == nil, configuration.key != nil { throw .keyNeeded }
        let fresh = known == nil ? newSession() : nil
        let csrf = known ?? sessions.csrf(fresh ?? "")
        if !request.method.isSafe { try checkCSRF(request, csrf) }
        return .admitted(
            .session(csrf: csrf), cookie: fresh.map { setCookie($0) })
    }

    private func checkHost(_ request: Request) throws(Problem) {
        let named = request.headers.all("Host")
        guard named.count == 1, hosts.contains(named[0].lowercased()) else {
            throw Problem(
                status: 421, code: "wrong-host",
                title: "This is not a name of this console",
                detail: """
                    The Host header must be one of \
                    \(hosts.sorted().joined(separator: ", ")).
                    """)
        }
    }

    private func checkBearer(_ authorization: String) async throws(Problem) {
        guard let key = configuration.key else { return }
        let parts = authorization.split(separator: " ", maxSplits: 1)
        let matches = parts.count == 2 && parts[0].lowercased() == "bearer"
            && ConstantTime.equal(String(parts[1]), key)
        guard matches else {
            await slowed.pause(configuration.world)
            throw .wrongKey
        }
    }

    /// 303 to the same address without the key, with the cookie set.
    private func exchange(
        _ offered: String, target: Target
    ) async throws(Problem) -> Response {
        if let key = configuration.key, !ConstantTime.equal(offered, key) {
            await slowed.pause(configuration.world)
            throw .wrongKey
        }
        let rest = target.query.filter { $0.name != "key" }
        let path = "/" + target.segments.map(PercentEncoding.encode)
            .joined(separator: "/") + (target.hasTrailingSlash ? "/" : "")
        let query = Form.encode(rest.map { ($0.name, $0.value) })
        return Response(
            status: 303,
            headers: [
                "Location": query.isEmpty ? path : path + "?" + query,
                "Set-Cookie": setCookie(newSession()),
            ])
    }

    private func newSession() -> String {
        configuration.world.identifier("ses")
    }

    private func setCookie(_ id: String) -> String {
        "\(cookieName)=\(sessions.cookie(id)); Path=/; HttpOnly; "
            + "SameSite=Strict; Max-Age=31536000"
    }

    /// In the header, or in the form's hidden field.
    private func checkCSRF(
        _ request: Request, _ csrf: String
    ) throws(Problem) {
        let offered = request.headers["X-Foyer-CSRF"]
            ?? (try? Form(request))?["csrf"]
        guard let offered, ConstantTime.equal(offered, csrf) else {
            throw Problem(
                status: 403, code: "stale-form",
                title: "This form is not from here, or is too old",
                detail: """
                    Its csrf field does not fit this browser. Reload the page \
                    and send it again; nothing was done.
                    """)
        }
    }
}

extension Problem {
    static let keyNeeded = Problem(
        status: 401, code: "key-needed", title: "The console's key is needed",
        detail: """
            Open the address with ?key=… that was printed at start, or send \
            Authorization: Bearer <key>.
            """,
        headers: ["WWW-Authenticate": "Bearer realm=\"foyer\""])

    static let wrongKey = Problem(
        status: 401, code: "wrong-key", title: "This is not the console's key",
        detail: """
            The key is in the address that was printed at start, and in the \
            file console.key of the data folder.
            """,
        headers: ["WWW-Authenticate": "Bearer realm=\"foyer\""])
}
