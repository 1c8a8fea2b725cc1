import Secrets
import Web

extension ClarityContract {
    var routes: [Route] {
        toolkit + legacy + [
            route(
                .post, Self.secureToken + "/token", refresh,
                [.key] + .json + [.refresh, .standing, .session]),
            route(.get, "/emulator/action", action), route(.post, "/emulator/action", submitAction),
            route(.get, "/emulator/page.css", { _ in ActionPage.style }),
            route(.get, Self.jwksPath, jwks), route(.get, Self.certificatePath, certificates),
        ] + ownRoutes + cognitoRoutes
    }

    static let identityToolkit = "/identitytoolkit.googleapis.com/v1"
    static let secureToken = "/securetoken.googleapis.com/v1"
    static let relyingParty = "/www.googleapis.com/identitytoolkit/v3/relyingparty"
    /// Where Google publishes the keys of ID tokens.
    static let jwksPath =
        "/www.googleapis.com/service_accounts/v1/jwk/securetoken@system.gserviceaccount.com"

    /// The same as certificates, which admin libraries ask for.
    static let certificatePath =
        "/www.googleapis.com/robot/v1/metadata/x509/securetoken@system.gserviceaccount.com"

    /// The methods by their names of today, then by those that the iOS SDK
    /// and pyrebase call.
    private var methods: [GoogleMethod] {
        let holder = .token + [Check.issuer, .holder, .standing]
        return [
            GoogleMethod("signUp", "signupNewUser", signUp, [.setting, .addressFree]),
            GoogleMethod(
                "signInWithPassword", "verifyPassword", signIn,
                [.limit] + .credentials + [.standing]),
            GoogleMethod("lookup", "getAccountInfo", lookup, holder),
            GoogleMethod("update", "setAccountInfo", update, holder),
            GoogleMethod("sendOobCode", "getOobConfirmationCode", sendCode, [.limit]),
            GoogleMethod("resetPassword", "resetPassword", resetPassword, .code),
            GoogleMethod("delete", "deleteAccount", delete, holder),
            GoogleMethod("createAuthUri", "createAuthUri", createAuthURI, []),
        ]
    }

    /// A method of Google's under both of its names, with what it checks
    /// after key and body.
    private struct GoogleMethod {
        let name: String
        let old: String
        let handler: Route.Handler
        let checks: [Check]

        init(_ name: String, _ old: String, _ handler: @escaping Route.Handler, _ checks: [Check]) {
            self.name = name
            self.old = old
            self.handler = handler
            self.checks = [.key] + .json + checks
        }
    }

    private var toolkit: [Route] {
        methods.map {
            route(.post, "\(Self.identityToolkit)/accounts:\($0.name)", $0.handler, $0.checks)
        }
    }

    private var legacy: [Route] {
        methods.map { route(.post, "\(Self.relyingParty)/\($0.old)", $0.handler, $0.checks) }
    }

    func route(
        _ method: Method, _ path: String, _ handler: @escaping Route.Handler, _ checks: [Check] = []
    ) -> Route { Contract.route(method, Self.id, path, handler, checks: checks) }

    @Sendable func jwks(_ visit: Visit) async throws -> Response { try tokens.keyring.jwks() }

    /// By key id, as Google publishes them.
    @Sendable func certificates(_ visit: Visit) async throws -> Response {
        let key = tokens.keyring.key(.access)
        let now = Int(premises.now(in: realm(visit)).seconds)
        let day = 86_400
        let certificate = try key.certificate(
            of: "securetoken.system.gserviceaccount.com", from: now - day, until: now + 30 * day)
        var response = Response.json(.object([.init(key.keyID, JSON(certificate))]))
        response.headers["Cache-Control"] = "public, max-age=600"
        return response
    }
}
