import Backend
import Core
import Crypto
import FoundationEssentials
import Web

/// Clarity's servers: Firebase's Identity Toolkit and Secure Token as the Firebase SDKs use them,
/// Clarity's own backend beside them, and the Cognito backend that replaced both later.
///
/// Unlike in Firebase's emulator, tokens are signed and expire, codes expire and work once, and a
/// mailed link opens a usable page.
struct ClarityContract: Contract {
    let services: ContractContext
    let accessTokens: AccessTokens
    var realm: Realm
    /// The project's key, which its clients are configured with.
    let apiKey: String

    static let id = "clarity"

    /// Firebase signs ID tokens with RS256. The HS256 key only derives values that are compared
    /// here.
    static let keyAlgorithms: [Keyring.Role: SigningKey.Algorithm] = [
        .access: .rs256, .code: .hs256,
    ]

    static let clientName: String? = "firebase"
    static let rootPaths: Set = [
        "identitytoolkit.googleapis.com", "www.googleapis.com", "securetoken.googleapis.com",
        "emulator",
    ]
    static let switches = [emailPrivacy, passwordSignIn, requiresOwnAPIKey, selfSignUp]
    static let supportedFaults = Set(FaultHooks.Kind.allCases)

    static let emailPrivacy = FeatureSwitch(
        name: "emailPrivacy", text: "Responses do not reveal whether an email has an account.",
        isOnByDefault: true)
    static let passwordSignIn = FeatureSwitch(
        name: "passwordSignIn", text: "Email and password sign-in is enabled.", isOnByDefault: true)
    static let requiresOwnAPIKey = FeatureSwitch(
        name: "checksKeys", text: "Only the project's own API key is accepted.",
        isOnByDefault: false)
    static let selfSignUp = FeatureSwitch(
        name: "selfSignUp", text: "Self-registration with the Cognito backend.", isOnByDefault: true
    )

    /// The default; an account or a realm may override it.
    static let idTokenLifetime: Duration = .seconds(3_600)

    /// Wrong passwords per address, registered or not.
    ///
    /// Google documents no number. This one is reached by guessing, not by mistyping.
    static let failedSignInLimit = RateLimit(
        name: "wrong passwords", count: 10, window: .seconds(900))
    /// Mails of each kind per address. Google documents no number either.
    static let verificationMailLimit = RateLimit(
        name: "verification mails", count: 5, window: .seconds(600))
    static let resetMailLimit = RateLimit(name: "reset mails", count: 5, window: .seconds(600))

    init(services: ContractContext, accessTokens: AccessTokens, realm: Realm) throws {
        self.services = services
        self.accessTokens = accessTokens
        self.realm = realm
        apiKey = try Self.makeAPIKey(accessTokens.keyring)
    }

    func makeFailureResponse(_ error: any Error, to request: Request) -> Response {
        guard Self.isOwnServer(request) else { return GoogleFailure(error, to: request).response }
        let failure =
            (error as? GoogleFailure).map(FastAPIFailure.init) ?? FastAPIFailure(error, to: request)
        return failure.response
    }

    /// CORS for browser pages of other origins, as Google and its emulator do it: the origin and
    /// the requested headers are echoed. Any origin is allowed, because no cookie has an effect
    /// here.
    func finalize(_ response: Response, for request: Request) -> Response {
        /// The value if it has only characters allowed in a header field.
        func echoed(_ name: String) -> String? {
            request.headers[name].flatMap { value in
                value.utf8.allSatisfy { (0x20...0x7E).contains($0) } ? value : nil
            }
        }
        guard let origin = echoed("Origin") else { return response }
        var response = response
        if request.method == .options, request.headers["Access-Control-Request-Method"] != nil {
            response = Response(
                status: 204,
                headers: ["Access-Control-Allow-Methods": "GET,HEAD,PUT,PATCH,POST,DELETE"])
            if let requestedHeaders = echoed("Access-Control-Request-Headers") {
                response.headers.add("Access-Control-Allow-Headers", requestedHeaders)
                response.headers.add("Vary", "Access-Control-Request-Headers")
            }
        }
        response.headers.add("Access-Control-Allow-Origin", origin)
        response.headers.add("Vary", "Origin")
        return response
    }

    /// Whether a request is for one of Clarity's own servers, not for Google's services.
    private static func isOwnServer(_ request: Request) -> Bool {
        ["api", "cognito"].contains(request.firstServerSegment)
    }
}

extension ClarityContract {
    var routes: [Route] {
        googleRoutes + [
            route(
                .post, Self.secureTokenPath + "/token", Self.refresh,
                [.apiKey] + .json + [.refreshToken, .accountActive, .session]),
            route(.get, "/emulator/action", Self.showEmailAction),
            route(.post, "/emulator/action", Self.submitEmailAction),
            route(.get, "/emulator/page.css", Self.styleSheet),
            route(.get, Self.jwksPath, Self.jwks),
            route(.get, Self.certificatePath, Self.certificates),
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

    /// Google's methods by their current names, then by those that the iOS SDK and pyrebase use,
    /// with their checks after API key and body.
    private var googleRoutes: [Route] {
        let bearerChecks = .token + [RequestCheck.issuer, .tokenAccount, .accountActive]
        let methods: [(name: String, legacyName: String, Handler, [RequestCheck])] = [
            ("signUp", "signupNewUser", Self.signUp, [.featureEnabled, .emailAvailable]),
            (
                "signInWithPassword", "verifyPassword", Self.signIn,
                [.rateLimit] + .credentials + [.accountActive]
            ),
            ("lookup", "getAccountInfo", Self.lookup, bearerChecks),
            ("update", "setAccountInfo", Self.update, bearerChecks),
            ("sendOobCode", "getOobConfirmationCode", Self.sendOobCode, [.rateLimit]),
            ("resetPassword", "resetPassword", Self.resetPassword, .code),
            ("delete", "deleteAccount", Self.delete, bearerChecks),
            ("createAuthUri", "createAuthUri", Self.createAuthURI, []),
        ]
        return methods.flatMap { name, legacyName, handler, checks in
            [
                "\(Self.identityToolkitPath)/accounts:\(name)",
                "\(Self.relyingPartyPath)/\(legacyName)",
            ].map { route(.post, $0, handler, [.apiKey] + .json + checks) }
        }
    }

    /// The certificates by key id, as Google publishes them.
    func certificates(_ context: RequestContext) async throws -> Response {
        let key = accessTokens.keyring.key(.access)
        let now = Int(now.seconds)
        let day = 86_400
        let certificate = try key.makeCertificate(
            of: "securetoken.system.gserviceaccount.com", from: now - day, until: now + 30 * day)
        return .json(
            .object([.init(key.keyID, JSON(certificate))]),
            headers: ["Cache-Control": "public, max-age=600"])
    }

    /// Checks the API key of a request to a Google method. Rejects a bearer token, which would
    /// claim administrator access.
    func authorizeRequest(_ context: RequestContext) throws {
        guard Bearer(context.request) == .missing else { throw GoogleFailure.unauthenticated }
        try checkAPIKey(
            context.target.query.first { $0.name == "key" }?.value
                ?? context.request.headers["x-goog-api-key"])
    }

    private func checkAPIKey(_ key: String?) throws {
        guard let key, !key.isEmpty else {
            CheckTrace.record(.apiKey, false, "missing")
            throw GoogleFailure.missingAPIKey
        }
        CheckTrace.record(.apiKey)
        guard isOn(Self.requiresOwnAPIKey) else { return }
        guard ConstantTime.areEqual(key, apiKey) else { throw GoogleFailure.invalidAPIKey }
    }

    /// A key in the format of Google's, 39 characters, derived from the keyring that is created at
    /// first start.
    static func makeAPIKey(_ keyring: Keyring) throws -> String {
        let bytes = Hex.decode(try keyring.digest("API key"))
        return "AIzaSy" + Base64URL.encode(bytes).prefix(33)
    }

    /// The values a Firebase SDK is configured with.
    var clientSettings: [ContractInfo.ClientSetting] {
        let root = rootURL
        let host = root.split(separator: "//").last.map(String.init) ?? root
        return [
            ContractInfo.ClientSetting("emulatorHost", host),
            ContractInfo.ClientSetting("projectId", Self.projectID),
            ContractInfo.ClientSetting("apiKey", apiKey),
        ]
    }

    /// Throws if the address is invalid. Nil only if none was sent.
    func readEmailAddress(_ body: GoogleBody, _ name: String = "email") throws -> EmailAddress? {
        guard let text = try body.text(name) else { return nil }
        guard let address = EmailAddress(text) else { throw GoogleFailure.invalidEmail }
        return address
    }

    static let minPasswordLength = 6

    /// Throws if a new password is too short, or longer than can be hashed.
    static func check(newPassword password: String) throws {
        // UTF-16 code units, as clients count.
        guard password.utf16.count >= minPasswordLength else { throw GoogleFailure.weakPassword }
        guard password.utf8.count <= JSONBody.passwordLimit else {
            throw GoogleFailure.passwordTooLong
        }
    }
}
