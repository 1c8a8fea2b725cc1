import Backend
import Core
import Crypto
import Web

/// Anonymous Wall's server in two dialects: as its specification describes it under `/auth`, and as
/// the Micronaut server implements it under `/api/v1/auth`.
struct WallContract: Contract {
    var realm = Realm(workspace: "", contract: id)
    let services: ContractContext
    let accessTokens: AccessTokens
    /// How many codes an address gets per period, in the specification's dialect.
    let mailLimit = MailLimit()

    static let id = "wall"

    static let keyAlgorithms: [Keyring.Role: SigningKey.Algorithm] = [
        .access: .hs256, .code: .hs256,
    ]
    static let supportedFaults: Set<FaultHooks.Kind> = [.clockSkew, .mailLost, .codeExpired]

    /// One day (the Micronaut server's 86,400 s; the specification names none).
    static let accessTokenLifetime: Duration = .seconds(86_400)
    static let codeLifetime: Duration = .seconds(900)
    /// How many wrong attempts a code allows, in the specification's dialect.
    static let maxCodeAttempts = 5

    init(services: ContractContext, accessTokens: AccessTokens) {
        self.services = services
        self.accessTokens = accessTokens
    }

    func makeFailureResponse(_ error: any Error, to request: Request) -> Response {
        WallFailure(error, to: request).response(
            in: WallDialect(request), path: WallDialect.serverPath(of: request))
    }

    var routes: [Route] {
        func route(_ path: String, _ handler: @escaping Handler, _ checks: [RequestCheck]) -> Route
        { self.route(.post, path, handler, checks) }
        let micronautPath = "/api/v1/auth"
        let bearerChecks = .bearer + [.tokenAccount] + .json
        return [
            route("/auth/register", Self.register, .json + [.emailAvailable, .rateLimit]),
            route("/auth/request-code", Self.requestCode, .json + [.account, .rateLimit]),
            route("/auth/login", Self.login, .json + .code + [.codeAttempts, .account]),
            route("\(micronautPath)/email/send-code", Self.micronautSendCode, .json + [.account]),
            route(
                "\(micronautPath)/register/email", Self.micronautRegister,
                .json + [.emailAvailable] + .code),
            route("\(micronautPath)/login/email", Self.micronautLogin, .json + .code + [.account]),
            route(
                "\(micronautPath)/login/password", Self.micronautPasswordLogin,
                .json + [.account, .emailVerified, .password]),
            route(
                "\(micronautPath)/password/set", Self.micronautSetPassword, bearerChecks + [.state]),
            route(
                "\(micronautPath)/password/change", Self.micronautChangePassword,
                bearerChecks + [.password, .state]),
            route(
                "\(micronautPath)/password/reset-request", Self.micronautRequestReset,
                .json + [.account]),
            route(
                "\(micronautPath)/password/reset", Self.micronautReset, .json + [.account] + .code),
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
        let target = try? RequestTarget(parsing: request.target)
        self = target?.segments.dropFirst(2).first == "api" ? .micronaut : .specification
    }

    /// The path without its query, as the real server would see it.
    static func serverPath(of request: Request) -> String {
        let path = request.target.prefix(400).prefix { $0 != "?" }
        let parts = path.split(separator: "/", maxSplits: 2)
        return "/" + (parts.count > 2 ? parts[2] : "")
    }
}
