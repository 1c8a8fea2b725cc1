import Backend
import Crypto
import Web

extension ClarityContract {
    var routes: [Route] {
        identityToolkitRoutes + legacyRoutes + [
            route(
                .post, Self.secureTokenPath + "/token", refresh,
                [.apiKey] + .json + [.refreshToken, .accountActive, .session]),
            route(.get, "/emulator/action", showEmailAction),
            route(.post, "/emulator/action", submitEmailAction),
            route(.get, "/emulator/page.css", { _ in EmailActionPage.styleSheetResponse }),
            route(.get, Self.jwksPath, jwks), route(.get, Self.certificatePath, certificates),
        ] + backendRoutes + cognitoRoutes
    }

    static let identityToolkitPath = "/identitytoolkit.googleapis.com/v1"
    static let secureTokenPath = "/securetoken.googleapis.com/v1"
    static let relyingPartyPath = "/www.googleapis.com/identitytoolkit/v3/relyingparty"
    /// Google's path for the public keys of ID tokens.
    static let jwksPath =
        "/www.googleapis.com/service_accounts/v1/jwk/securetoken@system.gserviceaccount.com"

    /// The same keys as certificates, which admin libraries request.
    static let certificatePath =
        "/www.googleapis.com/robot/v1/metadata/x509/securetoken@system.gserviceaccount.com"

    /// The methods by their current names, then by those that the iOS SDK and pyrebase use.
    private var methods: [GoogleMethod] {
        let bearerChecks = .token + [RequestCheck.issuer, .tokenAccount, .accountActive]
        return [
            GoogleMethod("signUp", "signupNewUser", signUp, [.featureEnabled, .emailAvailable]),
            GoogleMethod(
                "signInWithPassword", "verifyPassword", signIn,
                [.rateLimit] + .credentials + [.accountActive]),
            GoogleMethod("lookup", "getAccountInfo", lookup, bearerChecks),
            GoogleMethod("update", "setAccountInfo", update, bearerChecks),
            GoogleMethod("sendOobCode", "getOobConfirmationCode", sendOobCode, [.rateLimit]),
            GoogleMethod("resetPassword", "resetPassword", resetPassword, .code),
            GoogleMethod("delete", "deleteAccount", delete, bearerChecks),
            GoogleMethod("createAuthUri", "createAuthUri", createAuthURI, []),
        ]
    }

    /// A Google method under its current and its legacy name, with its checks after API key and
    /// body.
    private struct GoogleMethod {
        let name: String
        let legacyName: String
        let handler: Route.Handler
        let checks: [RequestCheck]

        init(
            _ name: String, _ legacyName: String, _ handler: @escaping Route.Handler,
            _ checks: [RequestCheck]
        ) {
            self.name = name
            self.legacyName = legacyName
            self.handler = handler
            self.checks = [.apiKey] + .json + checks
        }
    }

    private var identityToolkitRoutes: [Route] {
        methods.map {
            route(.post, "\(Self.identityToolkitPath)/accounts:\($0.name)", $0.handler, $0.checks)
        }
    }

    private var legacyRoutes: [Route] {
        methods.map {
            route(.post, "\(Self.relyingPartyPath)/\($0.legacyName)", $0.handler, $0.checks)
        }
    }

    /// The certificates by key id, as Google publishes them.
    @Sendable func certificates(_ context: RequestContext) async throws -> Response {
        let key = accessTokens.keyring.key(.access)
        let now = Int(services.now(in: realm(context)).seconds)
        let day = 86_400
        let certificate = try key.makeCertificate(
            of: "securetoken.system.gserviceaccount.com", from: now - day, until: now + 30 * day)
        var response = Response.json(.object([.init(key.keyID, JSON(certificate))]))
        response.headers["Cache-Control"] = "public, max-age=600"
        return response
    }
}
