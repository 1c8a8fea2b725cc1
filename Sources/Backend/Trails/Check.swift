/// Something the backend looks at before it answers; the raw value is its
/// name for programs.
enum Check: String, Sendable, CaseIterable {
    case host, workspace, route, key, limit, body, fields, setting
    case addressFree, account, password, standing, verified
    case header, jwt, algorithm, signature, issuer, audience, expiry
    case session, holder
    case refresh, generation, age
    case code, codeFresh, guesses
    case permission, state

    /// For a person, as a statement that holds or does not.
    var title: String {
        switch self {
        case .host: "Host is this backend's"
        case .workspace: "Workspace exists"
        case .route: "Route exists"
        case .key: "Project's API key"
        case .limit: "Within the rate limit"
        case .body: "Body can be read"
        case .fields: "Fields are valid"
        case .setting: "Turned on for this project"
        case .addressFree: "E-mail is free"
        case .account: "Account with this e-mail"
        case .password: "Password is right"
        case .standing: "Account may sign in"
        case .verified: "E-mail verified"
        case .header: "Authorization header present"
        case .jwt: "Token is a JWT"
        case .algorithm: "Algorithm comes from the key"
        case .signature: "Signature"
        case .issuer: "Issuer"
        case .audience: "Audience"
        case .expiry: "Not expired"
        case .session: "Session alive"
        case .holder: "Account of the token"
        case .refresh: "Refresh token known"
        case .generation: "Refresh token not used before"
        case .age: "Not too old"
        case .code: "Code is right"
        case .codeFresh: "Code still works"
        case .guesses: "Guesses left"
        case .permission: "Allowed to"
        case .state: "State allows it"
        }
    }

    /// What its failure is in itself, whatever the answer says.
    var failing: String? {
        switch self {
        case .verified: "never verified"
        case .addressFree: "an account has it"
        case .route: "nothing answers this method and path"
        default: nil
        }
    }
}

/// Checks that always go together, in the order they are made.
extension [Check] {
    static let json: [Check] = [.body, .fields]
    /// Of a token somebody shows.
    static let token: [Check] = [.jwt, .algorithm, .signature, .expiry]
    static let bearer = [.header] + token
    static let refreshing: [Check] = [.refresh, .session, .generation]
    static let code: [Check] = [.code, .codeFresh]

    // Which of several failed is told by what was seen.

    static let credentials: [Check] = [.account, .password]
    static let anyToken: [Check] = [
        .header, .jwt, .algorithm, .signature, .expiry, .issuer, .audience, .session, .holder,
    ]
    static let anyRefresh: [Check] = [.session, .generation, .age, .refresh]
    static let anyCode: [Check] = [.account, .codeFresh, .guesses, .code]
}
