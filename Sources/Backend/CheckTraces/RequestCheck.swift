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
    /// Inferred from a status alone, for a server that does not report its checks.
    case credentials, token

    /// Display texts: the check as a statement that is true or false, and the beginning of the
    /// sentence that reports its failure.
    package var texts: (title: String, failure: String) {
        switch self {
        case .host: ("Host is valid", "Unknown host")
        case .workspace: ("Workspace exists", "Unknown workspace in the URL")
        case .route: ("Route exists", "No such route")
        case .apiKey: ("API key is valid", "Invalid API key")
        case .rateLimit: ("Within the rate limit", "Rate limited")
        case .body: ("Body can be read", "Unreadable body")
        case .fields: ("Fields are valid", "A field is missing or invalid")
        case .featureEnabled: ("Enabled for this project", "Turned off for the project")
        case .emailAvailable: ("Email is available", "Email already in use")
        case .account: ("Account with this email", "No account with this email")
        case .password: ("Password is correct", "Password rejected")
        case .accountActive: ("Account can sign in", "Account may not sign in")
        case .emailVerified: ("Email verified", "Email not verified")
        case .authorizationHeader: ("Authorization header present", "Bearer token missing")
        case .jwt: ("Token is a JWT", "Token is not a JWT")
        case .algorithm: ("Algorithm matches the key", "Token algorithm doesn't match its key")
        case .signature: ("Signature", "Invalid token signature")
        case .issuer: ("Issuer", "Token from another issuer")
        case .audience: ("Audience", "Token for another audience")
        case .expiry: ("Not expired", "Token expired")
        case .session: ("Session is active", "Token's session ended")
        case .tokenAccount: ("Account of the token", "Token's account not found")
        case .refreshToken: ("Refresh token exists", "Unknown refresh token")
        case .refreshTokenReuse:
            ("Refresh token not used before", "Refresh token reused, token family revoked")
        case .refreshTokenAge: ("Not too old", "Refresh token too old")
        case .code: ("Code is correct", "Code rejected")
        case .codeValidity: ("Code is still valid", "Code expired or used")
        case .codeAttempts: ("Attempts left", "Too many code attempts")
        case .permission: ("Permitted", "Permission denied")
        case .state: ("State allows it", "Conflict with current state")
        case .credentials: ("Credentials accepted", "Credentials rejected")
        case .token: ("Token accepted", "Token rejected")
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
