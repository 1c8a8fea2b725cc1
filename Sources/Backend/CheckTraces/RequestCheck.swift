/// A check the backend makes before it responds; the raw value is the API name.
enum RequestCheck: String, Sendable, CaseIterable {
    case host, workspace, route
    case apiKey = "key"
    case rateLimit = "limit"
    case body, fields
    case featureEnabled = "setting"
    case emailAvailable = "addressFree"
    case account, password
    case accountActive = "standing"
    case emailVerified = "verified"
    case authorizationHeader = "header"
    case jwt, algorithm, signature, issuer, audience, expiry
    case session
    case tokenAccount = "holder"
    case refreshToken = "refresh"
    case refreshTokenReuse = "generation"
    case refreshTokenAge = "age"
    case code
    case codeValidity = "codeFresh"
    case codeAttempts = "guesses"
    case permission, state

    /// Display text, as a statement that is true or false.
    var title: String {
        switch self {
        case .host: "Host is this backend's"
        case .workspace: "Workspace exists"
        case .route: "Route exists"
        case .apiKey: "Project's API key"
        case .rateLimit: "Within the rate limit"
        case .body: "Body can be read"
        case .fields: "Fields are valid"
        case .featureEnabled: "Turned on for this project"
        case .emailAvailable: "E-mail is free"
        case .account: "Account with this e-mail"
        case .password: "Password is right"
        case .accountActive: "Account may sign in"
        case .emailVerified: "E-mail verified"
        case .authorizationHeader: "Authorization header present"
        case .jwt: "Token is a JWT"
        case .algorithm: "Algorithm comes from the key"
        case .signature: "Signature"
        case .issuer: "Issuer"
        case .audience: "Audience"
        case .expiry: "Not expired"
        case .session: "Session alive"
        case .tokenAccount: "Account of the token"
        case .refreshToken: "Refresh token known"
        case .refreshTokenReuse: "Refresh token not used before"
        case .refreshTokenAge: "Not too old"
        case .code: "Code is right"
        case .codeValidity: "Code still works"
        case .codeAttempts: "Guesses left"
        case .permission: "Allowed to"
        case .state: "State allows it"
        }
    }

    /// A fixed description of the failure, used instead of the response's message.
    var failureDescription: String? {
        switch self {
        case .emailVerified: "never verified"
        case .emailAvailable: "an account has it"
        case .route: "nothing answers this method and path"
        default: nil
        }
    }
}

/// Checks that are always made together, in order.
extension [RequestCheck] {
    static let json: [RequestCheck] = [.body, .fields]
    /// The checks of a presented token.
    static let token: [RequestCheck] = [.jwt, .algorithm, .signature, .expiry]
    static let bearer = [.authorizationHeader] + token
    static let refreshToken: [RequestCheck] = [.refreshToken, .session, .refreshTokenReuse]
    static let code: [RequestCheck] = [.code, .codeValidity]

    // Which of several failed is decided by the recorded entries.

    static let credentials: [RequestCheck] = [.account, .password]
    static let anyToken: [RequestCheck] = [
        .authorizationHeader, .jwt, .algorithm, .signature, .expiry, .issuer, .audience, .session,
        .tokenAccount,
    ]
    static let anyRefreshToken: [RequestCheck] = [
        .session, .refreshTokenReuse, .refreshTokenAge, .refreshToken,
    ]
    static let anyCode: [RequestCheck] = [.account, .codeValidity, .codeAttempts, .code]
}
