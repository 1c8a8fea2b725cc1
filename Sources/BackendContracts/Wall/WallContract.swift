import Backend
import Crypto
import SQLite
import Web

/// Anonymous Wall's server in two dialects: as its specification describes it under `/auth`, and as
/// the Micronaut server implements it under `/api/v1/auth`.
struct WallContract: Contract {
    let services: ContractContext
    let accessTokens: AccessTokens
    var realm: Realm
    /// How many codes an address gets per period, in the specification's dialect.
    let mailLimit = MailLimit()

    static let id = "wall"

    static let keyAlgorithms: [Keyring.Role: SigningKey.Algorithm] = [
        .access: .hs256, .code: .hs256,
    ]
    static let supportedFaults: Set<FaultHooks.Kind> = [.clockSkew, .mailLost, .codeExpired]

    /// One day (the Micronaut server's 86,400 s; the specification names none).
    static let accessTokenLifetime: Duration = .seconds(86_400)
    /// How long an unused refresh token stays valid.
    static let refreshTokenLifetime: Duration = .seconds(2_592_000)
    /// How long a refresh whose response was lost can be repeated.
    static let reuseInterval: Duration = .seconds(60)
    static let codeLifetime: Duration = .seconds(900)
    /// How many wrong attempts a code allows, in the specification's dialect.
    static let maxCodeAttempts = 5

    func makeFailureResponse(_ error: any Error, to request: Request) -> Response {
        WallFailure(error, to: request).response(
            in: WallDialect(request), path: request.serverPath(after: 2))
    }

    var routes: [Route] {
        func route(_ path: String, _ handler: @escaping Handler, _ checks: [RequestCheck]) -> Route
        { self.route(.post, path, handler, checks) }
        let micronautPath = "/api/v1/auth"
        let memberChecks = .bearer + [RequestCheck.tokenAccount]
        let bearerChecks = memberChecks + .json
        let refreshChecks = .json + .refreshToken + [.refreshTokenAge]
        return [
            route("/auth/register", Self.register, .json + [.emailAvailable, .rateLimit]),
            route("/auth/request-code", Self.requestCode, .json + [.account, .rateLimit]),
            route("/auth/login", Self.login, .json + .code + [.codeAttempts, .account]),
            route("/auth/refresh", Self.refresh, refreshChecks),
            self.route(.get, "/posts", Self.posts, memberChecks),
            route("/posts", Self.addPost, bearerChecks),
            route("\(micronautPath)/email/send-code", Self.micronautSendCode, .json + [.account]),
            route(
                "\(micronautPath)/register/email", Self.micronautRegister,
                .json + [.emailAvailable] + .code),
            route("\(micronautPath)/login/email", Self.micronautLogin, .json + .code + [.account]),
            route(
                "\(micronautPath)/login/password", Self.micronautPasswordLogin,
                .json + [.account, .emailVerified, .password]),
            route(
                "\(micronautPath)/password/set", Self.micronautSetPassword,
                bearerChecks + [.state]),
            route(
                "\(micronautPath)/password/change", Self.micronautChangePassword,
                bearerChecks + [.password, .state]),
            route(
                "\(micronautPath)/password/reset-request", Self.micronautRequestReset,
                .json + [.account]),
            route(
                "\(micronautPath)/password/reset", Self.micronautReset, .json + [.account] + .code),
            route("\(micronautPath)/refresh", Self.micronautRefresh, refreshChecks),
            self.route(.get, "/api/v1/posts", Self.micronautPosts, memberChecks),
            route("/api/v1/posts", Self.micronautAddPost, bearerChecks),
        ]
    }
}

/// The two dialects of Anonymous Wall's server, over the same accounts.
///
/// A code works only in the dialect it was sent in. The specification limits the attempts. The
/// Micronaut server does not, and would bypass the limit.
enum WallDialect: String, Sendable {
    /// As the specification describes it: `{"success","message"}`, any code of an address signs in.
    case specification = "document"
    /// As the Micronaut server implements it: a code is for one purpose.
    case micronaut = "java"

    /// The dialect of the requested path.
    init(_ request: Request) {
        self = request.firstServerSegment == "api" ? .micronaut : .specification
    }
}

/// Account administration as done directly in the server's tables. Like the server's own password
/// change, one here ends no session.
extension WallContract {
    static let needsPassword = false

    static func passwordError(_ password: String) -> String? {
        passwordError(password, minLength: 1)
    }

    static let unsupportedActions: Set<AdminAction> = [.disable, .enable, .lock, .unlock]

    static func explanation(of action: AdminAction) -> String {
        switch action {
        case .verify:
            "The account can request login codes and sign in by password. Sessions remain valid."
        case .unverify:
            "Passwords and login codes are rejected until a mailed code is entered. Access "
                + "tokens stay valid until they expire."
        case .disable, .enable:
            "Anonymous Wall's server cannot disable an account. Delete it, or mark it "
                + "unverified."
        case .lock, .unlock:
            "Anonymous Wall's server cannot lock an account: after wrong attempts it rejects the "
                + "code only."
        case .setPassword:
            "The next password login requires the new password. As with the server's own "
                + "password change, sessions remain valid."
        case .signOut:
            "Ends its sessions: their refresh tokens are rejected. Access tokens stay valid until "
                + "they expire."
        case .delete:
            "Deletes the account, its sessions and its posts; codes sent to it become invalid. "
                + "Its tokens are rejected."
        }
    }
}

/// Sends and checks codes.
extension WallContract {
    func makeMail(
        for purpose: Challenge.Purpose, _ dialect: WallDialect, to address: EmailAddress,
        account: String?
    ) throws -> OutgoingMail {
        let (subject, intro) = Self.mailText(for: purpose, dialect)
        return try makeCodeMail(
            for: purpose, lifetime: Self.codeLifetime, to: address.text, account: account,
            dialect: dialect.rawValue
        ) { code in
            MailTemplate(
                appName: "Anonymous Wall", sender: "no-reply@anonymouswall.app", subject: subject,
                intro: intro, code: code,
                closing: "The code works once and for 15 minutes. If you did not ask for it, "
                    + "ignore this mail.", buttonColor: "#0067d9", linkColor: "#0067d9")
        }
    }

    /// The specification has only one mail.
    private static func mailText(for purpose: Challenge.Purpose, _ dialect: WallDialect) -> (
        subject: String, intro: String
    ) {
        switch (dialect, purpose) {
        case (.specification, _):
            ("Anonymous Wall – your code", "Type this code in the app to log in to Anonymous Wall:")
        case (_, .register):
            ("Campus Wall - Verify Your Email", "Type this code in the app to verify your email:")
        case (_, .reset):
            (
                "Campus Wall - Reset Your Password",
                "Type this code in the app to choose a new password:"
            )
        default: ("Campus Wall - Login Code", "Type this code in the app to log in:")
        }
    }

    /// Signs in with the code of `challenge`. Reading its mail proves the address, so the address
    /// is verified. Every other code of the address is invalidated.
    func signIn(
        _ account: Account, with challenge: Challenge, on connection: Connection, at now: Timestamp
    ) throws -> WallSession {
        try connection.markUsed(challenge, at: now)
        try connection.invalidateCodes(
            of: challenge.email, for: [.login, .register, .reset], in: realm, at: now)
        try connection.verifyEmail(of: account.id, at: now)
        try connection.recordLogin(of: account.id, at: now)
        return try startSession(account, on: connection, at: now)
    }

    func makeAccessToken(_ account: Account, _ session: BackendSession) throws -> String {
        try signToken(
            [
                "iss": .string(baseURL), "sub": .string(account.id), "email": JSON(account.email),
                // No account gets a token without having read a mail.
                "verified": true, "passwordSet": .bool(account.passwordHash != nil),
                "session_id": .string(session.id),
            ], of: account, lifetime: Self.accessTokenLifetime)
    }
}
