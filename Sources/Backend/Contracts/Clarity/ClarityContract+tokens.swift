import FoundationEssentials
import SQLite
import Secrets
import Web

extension ClarityContract {
    /// The project ID tokens are for, and its number, which refreshing tells.
    static let projectID = "clarity-pulse"
    static let projectNumber = "12345"

    static let issuer = "https://securetoken.google.com/\(projectID)"

    /// An ID token of a session begun at `signedInAt`, for an hour from now.
    ///
    /// It names no session: whoever signed in then is the same.
    func idToken(_ account: Account, _ person: ClarityPerson, signedInAt: Moment) throws -> String {
        let now = premises.now(in: account.realm)
        let email = JSON(account.email)
        var claims: [JSON.Member] = [
            .init("iss", .string(Self.issuer)),
            .init("aud", .string(Self.projectID)),
            .init("auth_time", .int(signedInAt.seconds)),
            .init("user_id", .string(account.id)),
            .init("sub", .string(account.id)),
            .init("iat", .int(now.seconds)),
            .init("exp", .int((now + life(of: account)).seconds)),
            .init("email", email),
            .init("email_verified", .bool(account.isVerified)),
            .init("firebase", ["identities": ["email": [email]], "sign_in_provider": "password"]),
        ]
        if let name = person.displayName { claims.insert(.init("name", .string(name)), at: 0) }
        if let photo = person.photoURL { claims.append(.init("picture", .string(photo))) }
        return try tokens.sign(.object(claims), as: .access)
    }

    /// How long `account`'s tokens are good for, in seconds.
    func seconds(of account: Account) -> Int64 { life(of: account).components.seconds }

    func life(of account: Account) -> Duration { tokens.life(Self.idTokenLife, of: account) }

    /// Who an ID token speaks for.
    func bearer(_ token: String?, in realm: Realm) async throws -> (
        account: Account, claims: AccessTokens.Claims
    ) {
        guard let token else { throw ClarityFailure.missingIDToken }
        let claims: AccessTokens.Claims
        switch tokens.read(token, at: premises.now(in: realm)) {
        case .refused: throw ClarityFailure.invalidIDToken
        case .expired: throw ClarityFailure.tokenExpired
        case .valid(let read): claims = read
        }
        let decoded = Token(decoding: token)
        let isOurs = decoded.issuer == Self.issuer
        Trail.note(.issuer, isOurs, decoded.issuer ?? "none named")
        guard isOurs else { throw ClarityFailure.invalidIDToken }
        let account = try await premises.database.read { connection in
            try connection.account(claims.subject, in: realm)
        }
        guard let account else { throw ClarityFailure.userNotFound }
        let since = ClarityPerson(account).validSince ?? 0
        guard (decoded.issuedAt ?? 0) >= since else { throw ClarityFailure.tokenExpired }
        guard account.disabledAt == nil else { throw ClarityFailure.userDisabled }
        return (account, claims)
    }

    /// Begins a session inside a write; tokens of it are for afterwards.
    func begin(_ account: Account, token: String, on connection: Connection, at now: Moment) throws
        -> Session
    {
        try RefreshFamily(world: premises.world).begin(
            account, token: token, on: connection, at: now)
    }

    /// What every sign-in answers besides who it was; nothing without one.
    func issued(_ account: Account, _ session: Session?, _ refreshToken: String) throws -> [JSON
        .Member]
    {
        guard let session else { return [] }
        let token = try idToken(account, ClarityPerson(account), signedInAt: session.createdAt)
        return [
            .init("idToken", .string(token)), .init("refreshToken", .string(refreshToken)),
            // A text: the iOS SDK passes a number over.
            .init("expiresIn", .string(String(seconds(of: account)))),
        ]
    }

    /// A fresh refresh token. Its end is a mark only we can make, so that one
    /// whose account is gone is told from one that never was.
    func mintRefreshToken() throws -> String {
        let secret = Opaque.secret(premises.world)
        return "rt_\(secret)\(try mark(secret))"
    }

    func isOurs(refreshToken: String) throws -> Bool {
        let rest = refreshToken.dropFirst(3)
        let secret = String(rest.dropLast(Self.markLength))
        let mark = try mark(secret)
        return refreshToken.hasPrefix("rt_")
            && Digest.constantTimeEquals(String(rest.suffix(Self.markLength)), mark)
    }

    private static let markLength = 22

    private func mark(_ secret: String) throws -> String {
        String(try tokens.keyring.digest("refresh token \(secret)").prefix(Self.markLength))
    }
}
