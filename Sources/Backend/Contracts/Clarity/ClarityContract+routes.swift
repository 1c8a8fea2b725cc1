import Secrets
import Web

extension ClarityContract {
    var routes: [Route] {
        toolkit + legacy + [
            route(.post, Self.secureToken + "/token", refresh),
            route(.get, "/emulator/action", action),
            route(.post, "/emulator/action", submitAction),
            route(.get, "/emulator/page.css") { _ in ActionPage.style },
            route(.get, Self.jwksPath, jwks),
            route(.get, Self.certificatePath, certificates),
        ] + ownRoutes + cognitoRoutes
    }

    static let identityToolkit = "/identitytoolkit.googleapis.com/v1"
    static let secureToken = "/securetoken.googleapis.com/v1"
    static let relyingParty =
        "/www.googleapis.com/identitytoolkit/v3/relyingparty"
    /// Where Google publishes the keys of ID tokens.
    static let jwksPath = "/www.googleapis.com/service_accounts/v1/jwk"
        + "/securetoken@system.gserviceaccount.com"

    /// The same as certificates, which admin libraries ask for.
    static let certificatePath = "/www.googleapis.com/robot/v1/metadata/x509"
        + "/securetoken@system.gserviceaccount.com"

    /// The methods by their names of today, then by those that the iOS SDK
    /// and pyrebase call.
    private var methods: [(name: String, old: String, Route.Handler)] {
        [
            ("signUp", "signupNewUser", signUp),
            ("signInWithPassword", "verifyPassword", signIn),
            ("lookup", "getAccountInfo", lookup),
            ("update", "setAccountInfo", update),
            ("sendOobCode", "getOobConfirmationCode", sendCode),
            ("resetPassword", "resetPassword", resetPassword),
            ("delete", "deleteAccount", delete),
            ("createAuthUri", "createAuthUri", createAuthURI),
        ]
    }

    private var toolkit: [Route] {
        methods.map { name, _, handler in
            route(.post, "\(Self.identityToolkit)/accounts:\(name)", handler)
        }
    }

    private var legacy: [Route] {
        methods.map { _, old, handler in
            route(.post, "\(Self.relyingParty)/\(old)", handler)
        }
    }

    func route(
        _ method: Method, _ path: String, _ handler: @escaping Route.Handler
    ) -> Route {
        Contract.route(method, Self.id, path, handler)
    }

    @Sendable func jwks(_ visit: Visit) async throws -> Response {
        try tokens.keyring.jwks()
    }

    /// By key id, as Google publishes them.
    @Sendable func certificates(_ visit: Visit) async throws -> Response {
        let key = tokens.keyring.key(.access)
        let now = Int(premises.now(in: realm(visit)).seconds)
        let day = 86_400
        let certificate = try key.certificate(
            of: "securetoken.system.gserviceaccount.com", from: now - day,
            until: now + 30 * day)
        var response = Response.json(
            .object([.init(key.keyID, JSON(certificate))]))
        response.headers["Cache-Control"] = "public, max-age=600"
        return response
    }
}
