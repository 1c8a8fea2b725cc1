import Backend
import Crypto
import SQLite
import Web

/// How a session began: the JSON object of its contract data.
struct ClaritySignIn: Sendable, Equatable {
    /// `password`, `anonymous`, `phone`, `custom`, or a provider such as `google.com`.
    var provider: String
    /// The project its ID tokens are issued for.
    var projectID: String
    /// The claims of its custom token.
    var claims: [JSON.Member] = []
    /// What a SAML provider stated about the user: the claim `sign_in_attributes`.
    var attributes: JSON?
    /// The second factor it was confirmed with.
    var factor: SecondFactor?

    /// A second factor as ID tokens name it.
    struct SecondFactor: Sendable, Equatable {
        let id: String
        /// `phone` or `totp`.
        let kind: String
    }

    static let passwordProvider = "password"
    static let anonymousProvider = "anonymous"
    static let phoneProvider = "phone"
    static let customProvider = "custom"

    init(
        _ provider: String = passwordProvider, projectID: String = ClarityContract.projectID,
        claims: [JSON.Member] = []
    ) {
        self.provider = provider
        self.projectID = projectID
        self.claims = claims
    }

    init(_ session: BackendSession) {
        self.init(json: (try? JSON(parsing: session.contractData)) ?? .null)
    }

    private init(json: JSON) {
        self.init(
            json["provider"]?.string ?? Self.passwordProvider,
            projectID: json["project"]?.string ?? ClarityContract.projectID,
            claims: json["claims"]?.members ?? [])
        attributes = json["attributes"]
        factor = json["factor"].flatMap(SecondFactor.init)
    }

    /// The sign-in that an ID token tells of.
    init(tokenClaims: JSON) {
        let firebase = tokenClaims["firebase"]
        self.init(
            firebase?["sign_in_provider"]?.string ?? Self.passwordProvider,
            projectID: tokenClaims["aud"]?.string ?? ClarityContract.projectID)
        if let id = firebase?["second_factor_identifier"]?.string,
            let kind = firebase?["sign_in_second_factor"]?.string
        {
            factor = SecondFactor(id: id, kind: kind)
        }
    }

    /// The sign-in of a pending credential.
    init(text: String?) { self.init(json: (try? JSON(parsing: text ?? "")) ?? .null) }

    var jsonText: String {
        JSON.omittingNil([
            "provider": .string(provider),
            "project": projectID == ClarityContract.projectID ? nil : .string(projectID),
            "claims": claims.isEmpty ? nil : .object(claims), "attributes": attributes,
            "factor": factor?.json,
        ]).description
    }
}

extension ClaritySignIn.SecondFactor {
    fileprivate init?(_ json: JSON) {
        guard let id = json["id"]?.string, let kind = json["kind"]?.string else { return nil }
        self.init(id: id, kind: kind)
    }

    fileprivate var json: JSON { ["id": .string(id), "kind": .string(kind)] }

    init(_ factor: Factor) { self.init(id: factor.id, kind: factor.kind.rawValue) }
}

/// The result of a sign-in.
struct ClaritySignInResult: Sendable {
    /// The account as it is after the sign-in.
    let account: Account
    /// Nil if a second factor is needed first, or if a request starts no session.
    var session: BackendSession?
    var refreshToken = ""
    /// Proves the first factor until the second one is entered.
    var pendingCredential: String?
}

/// The end of a sign-in, whatever its first factor was.
extension ClarityContract {
    /// How long a second factor can be entered after the first.
    private static let pendingLifetime: Duration = .seconds(3_600)

    /// Completes a sign-in inside a write: with a session, or with a pending credential if the
    /// account has a second factor.
    func completeSignIn(
        _ account: Account, _ signIn: ClaritySignIn, on connection: Connection, at now: Timestamp
    ) throws -> ClaritySignInResult {
        guard account.disabledAt == nil else { throw GoogleFailure.userDisabled }
        guard isOn(Self.secondFactors), !account.factors.isEmpty,
            Self.supportsSecondFactor(signIn.provider)
        else { return try startSession(account, signIn, on: connection, at: now) }
        let secret = RandomTokens.secret(services.world)
        try connection.addCode(
            Challenge(
                digest: Digest.sha256(secret), accountID: account.id, realm: realm,
                purpose: .pendingSignIn, email: account.id, createdAt: now,
                expiresAt: now + Self.pendingLifetime, contractData: signIn.jsonText))
        return ClaritySignInResult(account: account, pendingCredential: secret)
    }

    /// Starts a session inside a write.
    func startSession(
        _ account: Account, _ signIn: ClaritySignIn, on connection: Connection, at now: Timestamp
    ) throws -> ClaritySignInResult {
        let token = try makeRefreshToken()
        try connection.recordLogin(of: account.id, at: now)
        let session = try refreshFamily.startSession(
            account, token: token, contractData: signIn.jsonText, on: connection, at: now)
        return ClaritySignInResult(account: account, session: session, refreshToken: token)
    }

    /// Whether a sign-in of this kind can have a second factor.
    static func supportsSecondFactor(_ provider: String) -> Bool {
        ![
            ClaritySignIn.anonymousProvider, ClaritySignIn.phoneProvider,
            ClaritySignIn.customProvider,
        ].contains(provider)
    }

    /// What a response says of a sign-in: its tokens, or its second factors.
    func members(_ result: ClaritySignInResult) throws -> [JSON.Member] {
        guard let credential = result.pendingCredential else {
            return try tokenMembers(result.account, result.session, result.refreshToken)
        }
        return [
            .init("mfaPendingCredential", .string(credential)),
            .init(
                "mfaInfo",
                .array(result.account.factors.map { Self.factorJSON($0, isHidden: true) })),
        ]
    }
}
