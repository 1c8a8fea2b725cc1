import Backend
import Core
import Crypto
import Web

/// Clarity's servers: Firebase's Identity Toolkit and Secure Token as the Firebase SDKs use them,
/// Clarity's own backend beside them, and the Cognito backend that replaced both later.
///
/// Unlike in Firebase's emulator, tokens are signed and expire, codes expire and work once, and a
/// mailed link opens a usable page.
struct ClarityContract: Contract {
    var realm = Realm(workspace: "", contract: id)
    let services: ContractContext
    let accessTokens: AccessTokens
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

    init(services: ContractContext, accessTokens: AccessTokens) throws {
        self.services = services
        self.accessTokens = accessTokens
        apiKey = try Self.makeAPIKey(accessTokens.keyring)
    }

    func makeFailureResponse(_ error: any Error, to request: Request) -> Response {
        guard Self.isOwnServer(request) else { return GoogleFailure(error, to: request).response }
        let failure =
            (error as? GoogleFailure).map(FastAPIFailure.init) ?? FastAPIFailure(error, to: request)
        return failure.response
    }

    func finalize(_ response: Response, for request: Request) -> Response {
        ClarityCORS.finalize(response, for: request)
    }

    /// Whether a request is for one of Clarity's own servers, not for Google's services.
    private static func isOwnServer(_ request: Request) -> Bool {
        // The first two segments are the workspace and this contract.
        let segments = (try? RequestTarget(parsing: request.target))?.segments ?? []
        return ["api", "cognito"].contains(segments.dropFirst(2).first)
    }
}

/// CORS for browser pages of other origins, as Google and its emulator do it: the origin and the
/// requested headers are echoed.
///
/// Any origin is allowed, because no cookie has an effect here.
enum ClarityCORS {
    static func finalize(_ response: Response, for request: Request) -> Response {
        guard let origin = request.headers["Origin"], isPrintableASCII(origin) else {
            return response
        }
        var response = isPreflight(request) ? preflightResponse(request) : response
        response.headers.add("Access-Control-Allow-Origin", origin)
        response.headers.add("Vary", "Origin")
        return response
    }

    private static func isPreflight(_ request: Request) -> Bool {
        request.method == .options && request.headers["Access-Control-Request-Method"] != nil
    }

    private static func preflightResponse(_ request: Request) -> Response {
        var headers: Headers = ["Access-Control-Allow-Methods": "GET,HEAD,PUT,PATCH,POST,DELETE"]
        if let requestedHeaders = request.headers["Access-Control-Request-Headers"],
            isPrintableASCII(requestedHeaders)
        {
            headers.add("Access-Control-Allow-Headers", requestedHeaders)
            headers.add("Vary", "Access-Control-Request-Headers")
        }
        return Response(status: 204, headers: headers)
    }

    /// Visible ASCII and spaces: the characters allowed in a header field.
    private static func isPrintableASCII(_ text: String) -> Bool {
        text.utf8.allSatisfy { (0x20...0x7E).contains($0) }
    }
}
