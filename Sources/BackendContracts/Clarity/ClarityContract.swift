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
    static let switches = [
        emailPrivacy, passwordSignIn, anonymousSignIn, emailLinkSignIn, phoneSignIn, secondFactors,
        duplicateEmails, unsignedTokens, requiresOwnAPIKey, selfSignUp,
        emailConfirmation,
    ]
    static let supportedFaults = Set(FaultHooks.Kind.allCases)

    static let emailPrivacy = FeatureSwitch(
        name: "emailPrivacy", text: "Responses do not reveal whether an email has an account.",
        isOnByDefault: false)
    static let passwordSignIn = FeatureSwitch(
        name: "passwordSignIn", text: "Email and password sign-in is enabled.", isOnByDefault: true)
    static let anonymousSignIn = FeatureSwitch(
        name: "anonymous", text: "Anonymous sign-in is enabled.", isOnByDefault: true)
    static let emailLinkSignIn = FeatureSwitch(
        name: "emailLink", text: "Sign-in with mailed links is enabled.", isOnByDefault: true)
    static let phoneSignIn = FeatureSwitch(
        name: "phone", text: "Sign-in with codes by text message is enabled.", isOnByDefault: true)
    static let secondFactors = FeatureSwitch(
        name: "secondFactors", text: "Second factors can be added and are required.",
        isOnByDefault: true)
    static let duplicateEmails = FeatureSwitch(
        name: "duplicateEmails", text: "Accounts of different providers may share an email.",
        isOnByDefault: false)
    static let unsignedTokens = FeatureSwitch(
        name: "unsignedTokens", text: "ID tokens are unsigned, as those of Google's emulator.",
        isOnByDefault: false)
    static let requiresOwnAPIKey = FeatureSwitch(
        name: "checksKeys", text: "Only the project's own API key is accepted.",
        isOnByDefault: false)
    static let selfSignUp = FeatureSwitch(
        name: "selfSignUp", text: "Self-registration with the Cognito backend.", isOnByDefault: true
    )
    static let emailConfirmation = FeatureSwitch(
        name: "confirmEmail", text: "New users of the Cognito backend must confirm their email.",
        isOnByDefault: true)

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
        if Self.isUserPool(request) { return UserPoolFailure(error, to: request).response }
        let failure =
            (error as? GoogleFailure).map(FastAPIFailure.init) ?? FastAPIFailure(error, to: request)
        return failure.response
    }

    /// CORS for browser pages of other origins, as Google and its emulator do it: the origin and
    /// the requested headers are echoed. Any origin is allowed, because no cookie has an effect
    /// here; but only pages of this machine may do what needs no secret and shows every account.
    func finalize(_ response: Response, for request: Request) -> Response {
        /// The value if it has only characters allowed in a header field.
        func echoed(_ name: String) -> String? {
            request.headers[name].flatMap { value in
                value.utf8.allSatisfy { (0x20...0x7E).contains($0) } ? value : nil
            }
        }
        guard let origin = echoed("Origin"),
            !Self.isPrivileged(request) || Self.isLocal(origin: origin)
        else { return response }
        var response = response
        if request.method == .options {
            response = Response(
                status: 204,
                headers: ["Access-Control-Allow-Methods": "GET,HEAD,PUT,PATCH,POST,DELETE"])
            if let requestedHeaders = echoed("Access-Control-Request-Headers") {
                response.headers.add("Access-Control-Allow-Headers", requestedHeaders)
                response.headers.add("Vary", "Access-Control-Request-Headers")
            }
        }
        if request.headers["Access-Control-Request-Private-Network"] != nil {
            response.headers.add("Access-Control-Allow-Private-Network", "true")
        }
        response.headers.add("Access-Control-Allow-Origin", origin)
        response.headers.add("Vary", "Origin")
        return response
    }

    /// Whether a request, or that of a preflight, is for the emulator's helpers or an
    /// administrator's.
    private static func isPrivileged(_ request: Request) -> Bool {
        guard !isOwnServer(request) else { return false }
        let segments = (try? RequestTarget(parsing: request.target))?.segments ?? []
        let requestedHeaders = request.headers["Access-Control-Request-Headers"] ?? ""
        return segments.first == "emulator" || request.firstServerSegment == "emulator"
            || request.headers["Authorization"] != nil
            || requestedHeaders.lowercased().contains("authorization")
    }

    private static func isLocal(origin: String) -> Bool {
        let host = URLParts(origin).host
        return ["localhost", "127.0.0.1", "[::1]"].contains(host)
            || host.hasSuffix(".localhost")
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
            // The keys of session cookies are those of ID tokens.
            route(.get, "\(Self.relyingPartyPath)/publicKeys", Self.certificates),
            route(.get, "\(Self.identityToolkitPath)/sessionCookiePublicKeys", Self.jwks),
        ] + administratorRoutes + factorRoutes + emulatorRoutes + providerPageRoutes
            + backendRoutes + cognitoRoutes
    }

    static let identityToolkitPath = "/identitytoolkit.googleapis.com/v1"
    static let identityToolkitV2Path = "/identitytoolkit.googleapis.com/v2"
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
            ("signInWithEmailLink", "emailLinkSignin", Self.signInWithEmailLink, .code),
            (
                "signInWithCustomToken", "verifyCustomToken", Self.signInWithCustomToken,
                [.jwt, .audience, .accountActive]
            ),
            ("signInWithIdp", "verifyAssertion", Self.signInWithIdP, [.accountActive]),
            (
                "sendVerificationCode", "sendVerificationCode", Self.sendVerificationCode,
                [.featureEnabled]
            ),
            (
                "signInWithPhoneNumber", "verifyPhoneNumber", Self.signInWithPhoneNumber,
                .code + [.accountActive]
            ),
        ]
        return methods.flatMap { name, legacyName, handler, checks in
            [
                "\(Self.identityToolkitPath)/accounts:\(name)",
                "\(Self.relyingPartyPath)/\(legacyName)",
            ].map { route(.post, $0, handler, [.apiKey] + .json + checks) }
        }
            + [
                ("\(Self.identityToolkitPath)/projects", Self.projectInfo),
                ("\(Self.relyingPartyPath)/getProjectConfig", Self.projectInfo),
                ("\(Self.identityToolkitPath)/recaptchaParams", Self.recaptchaParameters),
                ("\(Self.relyingPartyPath)/getRecaptchaParam", Self.recaptchaParameters),
            ].map { route(.get, $0, $1, [.apiKey]) }
    }

    /// Methods on the accounts of a project, which administrators name in the path.
    private var administratorRoutes: [Route] {
        let accounts = "\(Self.identityToolkitPath)/projects/{project}/accounts"
        let methods: [(path: String, Handler)] = [
            (accounts, Self.signUp), ("\(accounts):lookup", Self.lookup),
            ("\(accounts):update", Self.update), ("\(accounts):delete", Self.delete),
            ("\(accounts):sendOobCode", Self.sendOobCode),
            ("\(accounts):query", Self.queryAccounts),
            ("\(accounts):batchCreate", Self.batchCreate),
            ("\(accounts):batchDelete", Self.batchDelete),
            ("\(Self.identityToolkitPath)/projects/{project}", Self.callProjectMethod),
            ("\(Self.relyingPartyPath)/downloadAccount", Self.downloadAccount),
            ("\(Self.relyingPartyPath)/uploadAccount", Self.uploadAccount),
        ]
        return methods.map { route(.post, $0, $1, [.apiKey] + .json) } + [
            route(.get, "\(accounts):batchGet", Self.batchGet, [.apiKey])
        ]
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
}
