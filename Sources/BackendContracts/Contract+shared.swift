package import Backend
import Crypto
import SQLite
import Web

extension Contract {
    /// An endpoint, as a method of the contract bound to the request's workspace.
    typealias Handler = @Sendable (Self) -> @Sendable (RequestContext) async throws -> Response

    /// A route under the workspace and the contract, with its checks in order.
    func route(
        _ method: Method, _ path: String, _ handler: @escaping Handler,
        _ checks: [RequestCheck] = []
    ) -> Route {
        Route(method, "/{workspace}/\(Self.id)\(path)", access: .open) { context in
            CheckTrace.plan(checks)
            let contract = bound(to: context.parameters["workspace"] ?? "")
            return try await handler(contract)(context)
        }
    }

    /// The time in the workspace; not inside a write, where the clock skew fault does not apply.
    var now: Timestamp { services.now(in: realm) }

    var database: TracingDatabase { services.database }

    /// A read that also gets the time it is made at.
    func read<Value: Sendable>(_ body: @escaping @Sendable (Connection, Timestamp) throws -> Value)
        async throws -> Value
    {
        let now = now
        return try await database.read { connection in try body(connection, now) }
    }

    /// A write that also gets the time it is made at.
    func write<Value: Sendable>(_ body: @escaping @Sendable (Connection, Timestamp) throws -> Value)
        async throws -> Value
    {
        let now = now
        return try await database.write { connection in try body(connection, now) }
    }

    /// The base address for clients of the workspace.
    var baseURL: String { services.baseURL(of: realm) }

    /// The base address for real clients of a contract with root paths.
    var rootURL: String { services.rootURL(of: realm) }

    func isOn(_ featureSwitch: FeatureSwitch) -> Bool {
        services.isOn(featureSwitch, in: realm)
    }

    /// GET …/page.css: the style sheet of the pages behind mailed links.
    func styleSheet(_ context: RequestContext) async throws -> Response {
        Response(
            status: 200,
            headers: [
                "Content-Type": "text/css; charset=utf-8", "Cache-Control": "public, max-age=600",
            ], body: .bytes(Array(EmailActionPage.css.utf8)))
    }

    /// GET …/jwks.json: the public keys of access tokens.
    func jwks(_ context: RequestContext) async throws -> Response {
        Response(
            status: 200,
            headers: [
                "Content-Type": "application/json; charset=utf-8",
                "Cache-Control": "public, max-age=600",
            ], body: .bytes(Array(try accessTokens.keyring.keySet.jwks().utf8)))
    }

    /// Signs `claims`, to which the times of issue and expiry are added.
    func signToken(
        _ claims: JSON, of account: Account, lifetime: Duration, as role: Keyring.Role = .access
    ) throws -> String {
        guard case .object(let members) = claims else { preconditionFailure("claims are members") }
        let now = now
        let expiresAt = now + accessTokens.lifetime(lifetime, of: account)
        return try accessTokens.sign(
            .object(
                members + [.init("iat", .int(now.seconds)), .init("exp", .int(expiresAt.seconds))]),
            as: role)
    }
}

extension Error {
    /// Whether the machine is temporarily out of capacity, so that a retry helps.
    var isBusy: Bool {
        switch self {
        case let error as CryptoError: error.kind == .busy
        case let error as DatabaseError: error.kind == .busy
        default: false
        }
    }
}

extension [any Contract.Type] {
    /// The contracts of the embedded backend, one per app server.
    package static var all: [any Contract.Type] {
        [
            MysticaContract.self, BobContract.self, WallContract.self, ClarityContract.self,
            SocotoContract.self,
        ]
    }
}

/// The bearer token in a request's `Authorization` header. The scheme's name is case-insensitive
/// (RFC 9110, 11.1).
enum Bearer: Sendable, Equatable {
    /// No header, or another scheme.
    case missing
    /// The scheme without a token.
    case empty
    case token(String)

    init(_ request: Request) {
        let header = request.headers["Authorization"] ?? ""
        let remainder = header.dropFirst(6)
        guard header.prefix(6).lowercased() == "bearer", remainder.isEmpty || remainder.first == " "
        else {
            self = .missing
            CheckTrace.record(
                .authorizationHeader, false, header.isEmpty ? "missing" : "not Bearer")
            return
        }
        let token = remainder.drop { $0 == " " }
        CheckTrace.record(
            .authorizationHeader, !token.isEmpty,
            token.isEmpty ? "Bearer without a token" : "Bearer")
        self = token.isEmpty ? .empty : .token(String(token))
    }

    var token: String? { if case .token(let token) = self { token } else { nil } }
}

/// Look-ups, passwords and limits of the sign-in endpoints of all contracts.
extension Contract {
    /// The account with a normalized address; nil without one.
    func findAccount(email: String?) async throws -> Account? {
        try await database.read { connection in
            try email.flatMap { try connection.account(email: $0, in: realm) }
        }
    }

    /// The account with the id of a token's subject.
    func findAccount(_ id: String) async throws -> Account? {
        try await database.read { connection in try connection.account(id, in: realm) }
    }

    /// The account with a normalized address: as found, and as accepted if the password is right.
    ///
    /// Verifying takes equally long for an unknown address, so that timing reveals nothing.
    func authenticate(email: String?, password: String) async throws -> (
        found: Account?, accepted: Account?
    ) {
        let found = try await findAccount(email: email)
        let matches = try await services.hasher.verify(password, against: found?.passwordHash)
        return (found, matches ? found : nil)
    }

    /// Authenticates within a limit on the failed attempts of `subject`; throws `failure` when it
    /// is reached. An account that `accepts` rejects counts as a failed attempt.
    func authenticate(
        email: String?, password: String, limit: RateLimit, of subject: String, failure: any Error,
        accepts: (Account) -> Bool = { _ in true }
    ) async throws -> (found: Account?, accepted: Account?) {
        func checkLimit() throws {
            let nextAllowedAt = services.rateLimits.nextAllowedAt(
                limit, of: subject, in: realm, at: now)
            if nextAllowedAt != nil { throw failure }
        }
        try checkLimit()
        let (found, accepted) = try await authenticate(email: email, password: password)
        guard let accepted, accepts(accepted) else {
            // Of many concurrent attempts only as many as the limit allows learn that the password
            // is wrong.
            try count(limit, of: subject, failure: failure)
            return (found, nil)
        }
        // A correct password that arrives after the limit was reached is refused too.
        try checkLimit()
        return (found, accepted)
    }

    /// The claims of a token of this contract.
    func claims(
        of token: String, invalid: @autoclosure () -> any Error,
        expired: @autoclosure () -> any Error
    ) throws -> AccessTokens.Claims {
        switch accessTokens.validate(token, at: now) {
        case .valid(let claims): return claims
        case .expired: throw expired()
        case .invalid: throw invalid()
        }
    }

    /// Refresh tokens that work once; Bob's and Socoto's servers have rules of their own.
    var refreshFamily: RefreshFamily { RefreshFamily(world: services.world) }

    /// Starts a session for an account whose password was verified; throws `failure` if it was
    /// changed meanwhile.
    func startSession(
        _ account: Account, token: String, of family: RefreshFamily, failure: any Error
    ) async throws -> BackendSession {
        return try await write { connection, now in
            let current = try connection.account(account.id, in: realm)
            guard current?.passwordHash == account.passwordHash else { throw failure }
            try connection.recordLogin(of: account.id, at: now)
            return try family.startSession(account, token: token, on: connection, at: now)
        }
    }

    /// Ends a session at its user's request.
    func signOut(_ session: BackendSession) async throws {
        try await write { connection, now in
            try connection.revoke(session: session.id, reason: .signedOut, at: now)
        }
    }

    /// Redirects without telling the target where from: the URL had a code in it.
    static func redirect(to url: String, status: Int = 303) -> Response {
        Response(status: status, headers: ["Location": url, "Referrer-Policy": "no-referrer"])
    }

    /// Whether the account is locked, or a fault locks it after a correct password.
    func isLocked(_ account: Account) -> Bool {
        account.isLocked(at: now) || services.isAccountLockSimulated
    }

    /// Counts an occurrence of `subject`; throws `failure` if the limit is reached.
    func count(_ limit: RateLimit, of subject: String, failure: any Error) throws {
        let nextAllowedAt = services.rateLimits.consume(limit, of: subject, in: realm, at: now)
        if nextAllowedAt != nil { throw failure }
    }
}

extension ContractAdministration {
    /// Why a server that counts UTF-16 code units rejects a password; nil if it accepts it.
    static func passwordError(_ password: String, minLength: Int) -> String? {
        if password.utf16.count < minLength {
            return minLength == 1
                ? "must not be empty" : "must have at least \(minLength) characters"
        }
        return password.utf8.count > JSONBody.passwordLimit
            ? "must have at most \(JSONBody.passwordLimit) bytes" : nil
    }
}

extension Request {
    /// The first path segment after the workspace and the contract.
    var firstServerSegment: String? {
        (try? RequestTarget(parsing: target))?.segments.dropFirst(2).first
    }

    /// The path as the real server would see it: without its first segments.
    func serverPath(after segmentCount: Int, withQuery: Bool = false) -> String {
        let path = target.prefix(400).prefix { withQuery || $0 != "?" }
        let parts = path.split(separator: "/", maxSplits: segmentCount)
        return "/" + (parts.count > segmentCount ? parts[segmentCount] : "")
    }
}
