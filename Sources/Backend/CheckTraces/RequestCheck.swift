import Web

/// A check the backend makes before it responds; the raw value is the API name.
package enum RequestCheck: String, Sendable, CaseIterable {
    case host, workspace, route
    case apiKey
    case rateLimit
    case body, fields
    case featureEnabled
    case emailAvailable
    case account, password
    case accountActive
    case emailVerified
    case authorizationHeader
    case jwt, algorithm, signature, issuer, audience, expiry
    case session
    case tokenAccount
    case refreshToken
    case refreshTokenReuse
    case refreshTokenAge
    case code
    case codeValidity
    case codeAttempts
    case permission, state

    /// Display text, as a statement that is true or false.
    var title: String {
        switch self {
        case .host: "Host is valid"
        case .workspace: "Workspace exists"
        case .route: "Route exists"
        case .apiKey: "API key is valid"
        case .rateLimit: "Within the rate limit"
        case .body: "Body can be read"
        case .fields: "Fields are valid"
        case .featureEnabled: "Enabled for this project"
        case .emailAvailable: "Email is available"
        case .account: "Account with this email"
        case .password: "Password is correct"
        case .accountActive: "Account can sign in"
        case .emailVerified: "Email verified"
        case .authorizationHeader: "Authorization header present"
        case .jwt: "Token is a JWT"
        case .algorithm: "Algorithm matches the key"
        case .signature: "Signature"
        case .issuer: "Issuer"
        case .audience: "Audience"
        case .expiry: "Not expired"
        case .session: "Session is active"
        case .tokenAccount: "Account of the token"
        case .refreshToken: "Refresh token exists"
        case .refreshTokenReuse: "Refresh token not used before"
        case .refreshTokenAge: "Not too old"
        case .code: "Code is correct"
        case .codeValidity: "Code is still valid"
        case .codeAttempts: "Attempts left"
        case .permission: "Permitted"
        case .state: "State allows it"
        }
    }

    /// A fixed description of the failure, used instead of the response's message.
    var failureDescription: String? {
        switch self {
        case .emailVerified: "not verified"
        case .emailAvailable: "already in use"
        case .route: "no such route"
        default: nil
        }
    }
}

/// Checks that are always made together, in order.
extension [RequestCheck] {
    package static let json: [RequestCheck] = [.body, .fields]
    /// The checks of a presented token.
    package static let token: [RequestCheck] = [.jwt, .algorithm, .signature, .expiry]
    package static let bearer = [.authorizationHeader] + token
    package static let refreshToken: [RequestCheck] = [.refreshToken, .session, .refreshTokenReuse]
    package static let code: [RequestCheck] = [.code, .codeValidity]

    // Which of several failed is decided by the recorded entries.

    package static let credentials: [RequestCheck] = [.account, .password]
    package static let anyToken: [RequestCheck] = [
        .authorizationHeader, .jwt, .algorithm, .signature, .expiry, .issuer, .audience, .session,
        .tokenAccount,
    ]
    package static let anyRefreshToken: [RequestCheck] = [
        .session, .refreshTokenReuse, .refreshTokenAge, .refreshToken,
    ]
    package static let anyCode: [RequestCheck] = [.account, .codeValidity, .codeAttempts, .code]
}

/// An error response that is part of a contract, whatever its status; not logged as a failure.
package protocol ExpectedError: Error {
    /// The checks that may have failed, most likely last.
    var failedChecks: [RequestCheck] { get }
}

extension RequestCheck {
    /// The checks that may have caused `error`.
    static func failedChecks(for error: any Error) -> [RequestCheck] {
        switch error {
        case let error as any ExpectedError: error.failedChecks
        case let problem as Problem: failedChecks(for: problem)
        default: []
        }
    }

    private static func failedChecks(for problem: Problem) -> [RequestCheck] {
        switch problem.code {
        case "wrong-host": [.host]
        case "unknown-workspace": [.workspace]
        // A gateway checks its API key before the path.
        case "not-found", "method-not-allowed": [.apiKey, .route]
        case "target-too-long", "malformed-target": [.route]
        case "not-a-form", "malformed-form": [.body]
        default: [.fields]
        }
    }
}

/// Why a request's body, or a field in it, cannot be read.
///
/// It contains nothing of the body but the names of fields that the contract itself reads. Each
/// contract translates it into its own dialect.
package enum BodyError: ExpectedError, Sendable, Equatable {
    /// The `Content-Type` is not JSON.
    case unsupportedMediaType
    case malformed
    /// JSON, but not an object.
    case notAnObject
    /// The field is not a string.
    case notAString(String)
    /// The field has more than `limit` bytes.
    case tooLong(String, limit: Int)
    /// The field contains a NUL.
    case containsNUL(String)

    package var failedChecks: [RequestCheck] {
        switch self {
        case .unsupportedMediaType, .malformed, .notAnObject: [.body]
        case .notAString, .tooLong, .containsNUL: [.fields]
        }
    }
}
